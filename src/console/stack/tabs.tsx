import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './tabs.module.css';

export interface Tab {
  to: string;
  label: ReactNode;
  count?: number | undefined;
}

const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** On a narrow screen the tabs scroll: the one that is open must be in view. The page itself stays where it is. */
function useCurrentInView(path: string, widths: string): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (path === '' || widths === '') return;
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !current) return;
    list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2;
  }, [path, widths]);
  return list;
}

/** Tabs are links: each has its own address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => {
  const [path] = useLocation();
  // Not at every event, or nobody could scroll: only when the counts take more room.
  const widths = tabs.map(({ count = '' }) => String(count).length).join(' ');
  return (
    <nav aria-label={label} className={styles.tabs} ref={useCurrentInView(path, widths)}>
      {tabs.map(({ to, label: text, count }) => (
        <Link key={to} to={to} aria-current={pathOf(to) === path ? 'page' : undefined}>
          {text}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
};
