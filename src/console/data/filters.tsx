import type { ChangeEvent } from 'react';
import { Select } from '../parts/forms/field.tsx';
import styles from './data.module.css';
import { kinds, type Search, states } from './stores.ts';

interface FiltersProps {
  search: Search;
  change: (changes: Readonly<Record<string, string | undefined>>) => void;
}

const stateOptions = [
  { value: '', label: 'Exists, kept or lost' },
  { value: 'all', label: 'All' },
  ...Object.entries(states).map(([value, { word }]) => ({ value, label: word })),
];

const kindOptions = [
  { value: '', label: 'All' },
  ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
];

export const Filters = ({ search, change }: FiltersProps) => {
  // Another question has other pages.
  const choose = (name: string) => ({
    value: search[name] ?? '',
    onChange: (event: ChangeEvent<HTMLSelectElement>) =>
      change({ [name]: event.target.value, cursor: undefined }),
  });
  return (
    <search className={styles.filters}>
      <Select label="State" {...choose('state')} options={stateOptions} />
      <Select label="Kind" {...choose('kind')} options={kindOptions} />
    </search>
  );
};
