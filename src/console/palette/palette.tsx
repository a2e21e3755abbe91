import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { SignOut } from '../me/sign-out.tsx';
import { Dialog } from '../parts/messages/dialog.tsx';
import { Icon } from '../parts/page/icons.tsx';
import { useSession } from '../session/session.ts';
import { bestEntries, type Entry } from './entries.ts';
import styles from './palette.module.css';
import { useEntries } from './use-entries.ts';

interface OptionProps {
  id: string;
  entry: Entry;
  active: boolean;
  onPick: () => void;
}

const Option = ({ id, entry, active, onPick }: OptionProps) => (
  <li
    id={id}
    role="option"
    aria-selected={active}
    className={styles.option}
    // The focus stays in the field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPick}
  >
    <Icon name={entry.icon} />
    <span className={styles.label}>{entry.label}</span>
    <span className={styles.kind}>{entry.kind}</span>
  </li>
);

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/** A combobox as the ARIA practices describe it: the focus stays in the field, arrows move the active option. */
function useChoice(found: readonly Entry[], onClose: () => void) {
  const [active, setActive] = useState(0);
  const at = Math.max(0, Math.min(active, found.length - 1));
  const pick = (entry: Entry | undefined): void => {
    if (!entry) return;
    if (!entry.stays) onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(found.length - 1, at + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(found[at]);
    }
  };
  return { at, setActive, pick, onKeyDown };
}

interface QueryProps {
  list: string;
  active: string | undefined;
  typed: string;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

const Query = ({ list, active, typed, onType, onKeyDown }: QueryProps) => (
  <input
    autoFocus
    role="combobox"
    aria-label="Stack, page or action"
    aria-expanded={active !== undefined}
    aria-controls={list}
    aria-activedescendant={active}
    autoComplete="off"
    spellCheck={false}
    className={styles.field}
    placeholder="Stack, page or action"
    value={typed}
    onChange={(event) => onType(event.target.value)}
    onKeyDown={onKeyDown}
  />
);

interface SearchProps {
  onSignOut: () => void;
  onClose: () => void;
}

const Search = ({ onSignOut, onClose }: SearchProps) => {
  const id = useId();
  const [typed, setTyped] = useState('');
  const found = bestEntries(useEntries(onSignOut), typed);
  const { at, setActive, pick, onKeyDown } = useChoice(found, onClose);
  const optionId = (index: number): string => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, id]);
  return (
    <Dialog title="Search or jump to" onClose={onClose} wide>
      <Query
        list={id}
        active={found.length > 0 ? optionId(at) : undefined}
        typed={typed}
        onKeyDown={onKeyDown}
        onType={(text) => {
          setTyped(text);
          setActive(0);
        }}
      />
      <ul id={id} role="listbox" aria-label="Results" className={styles.list}>
        {found.map((entry, index) => (
          <Option
            key={entry.id}
            id={optionId(index)}
            entry={entry}
            active={index === at}
            onPick={() => pick(entry)}
          />
        ))}
      </ul>
      <p role="status" className={found.length > 0 ? 'unseen' : styles.none}>
        {found.length > 0 ? `${found.length} results` : 'Nothing matches.'}
      </p>
    </Dialog>
  );
};

const Palette = ({ onClose }: { onClose: () => void }) => {
  const { data: session } = useSession();
  const [leaving, setLeaving] = useState(false);
  if (leaving && session?.user) return <SignOut from="here" onClose={onClose} />;
  return <Search onSignOut={() => setLeaving(true)} onClose={onClose} />;
};

export default Palette;
