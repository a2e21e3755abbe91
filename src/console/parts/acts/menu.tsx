import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Icon } from '../page/icons.tsx';
import { Button } from './button.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  label: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Why it cannot be used. */
  off?: string | undefined;
}

const itemsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** Moves the focus as the ARIA practices for menus say: arrows, Home, End. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
}

const Item = ({ item, onDone }: { item: MenuItem; onDone: () => void }) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={item.danger ? styles.danger : undefined}
    aria-disabled={item.off ? true : undefined}
    onClick={() => {
      if (item.off) return;
      onDone();
      item.onSelect();
    }}
  >
    {item.label}
    {item.off && <small>{item.off}</small>}
  </button>
);

export const Menu = ({ label, items }: MenuProps) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <span className={styles.holder}>
      <Button aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        <Icon name="more" />
      </Button>
      <div
        ref={list}
        id={id}
        role="menu"
        aria-label={label}
        popover="auto"
        className={styles.menu}
        onKeyDown={move}
        onToggle={(event) => event.newState === 'open' && itemsOf(list.current)[0]?.focus()}
      >
        {items.map((item, index) => (
          // The items of a menu keep their places.
          <Item key={index} item={item} onDone={() => list.current?.hidePopover()} />
        ))}
      </div>
    </span>
  );
};
