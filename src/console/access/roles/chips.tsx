import { type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../../parts/page/icons.tsx';
import styles from './chips.module.css';

interface ChipsProps {
  /** What the values are: "Actions of statement 1". */
  label: string;
  values: readonly string[];
  onChange: (values: string[]) => void;
  suggestions?: readonly { value: string; label?: string }[];
  placeholder: string;
}

const Chip = ({ value, onRemove }: { value: string; onRemove: () => void }) => (
  <span className={styles.chip}>
    <code>{value}</code>
    <button type="button" aria-label={`Remove ${value}`} onClick={onRemove}>
      <Icon name="close" size={10} />
    </button>
  </span>
);

const Suggestions = ({ id, of }: { id: string; of: NonNullable<ChipsProps['suggestions']> }) => (
  <datalist id={id}>
    {of.map(({ value, label }) => (
      <option key={value} value={value} label={label} />
    ))}
  </datalist>
);

/** Short texts that are added and removed one by one. */
export const Chips = ({ label, values, onChange, suggestions = [], placeholder }: ChipsProps) => {
  const [text, setText] = useState('');
  const list = useId();
  const add = (): void => {
    const added = text.split(/[\s,]+/).filter((each) => each !== '' && !values.includes(each));
    if (added.length > 0) onChange([...values, ...added]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add();
    }
    if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1));
  };
  return (
    <div role="group" aria-label={label} className={styles.chips}>
      {values.map((value) => (
        <Chip key={value} value={value} onRemove={() => onChange(values.filter((each) => each !== value))} />
      ))}
      <input
        aria-label={`Add: ${label}`}
        placeholder={placeholder}
        list={list}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={add}
      />
      <Suggestions id={list} of={suggestions} />
    </div>
  );
};
