import type { ChangeEvent } from 'react';
import { useActionNames, useStackNames } from '../access/explain/may-they.tsx';
import { usePeople } from '../access/people.ts';
import { Button } from '../parts/acts/button.tsx';
import { Field, Select } from '../parts/forms/field.tsx';
import { Card } from '../parts/page/card.tsx';
import styles from './audit.module.css';
import { fieldTime, isoTime, type Search } from './filters.ts';

interface FilterBarProps {
  search: Search;
  change: (changes: Readonly<Record<string, string | undefined>>) => void;
}

/** What routes without an action are recorded as. */
const otherActions = ['sign-in', 'revoke', 'self', 'master', 'agent'];

const everyFilter = ['actor', 'action', 'resource', 'decision', 'from', 'to', 'cursor', 'entry'];

const useOptions = () => {
  const { data: people = [] } = usePeople();
  const actions = useActionNames();
  const stacks = useStackNames();
  return {
    actors: [{ value: '', label: 'Anyone' }, ...people.map(({ username }) => username)],
    actions: [{ value: '', label: 'Any' }, ...actions, ...otherActions],
    resources: [{ value: '', label: 'Anything' }, ...stacks],
  };
};

const Clear = ({ search, change }: FilterBarProps) => (
  <Button
    off={everyFilter.some((name) => search[name]) ? undefined : 'There is no filter'}
    onClick={() => change(Object.fromEntries(everyFilter.map((name) => [name, undefined])))}
  >
    Clear
  </Button>
);

export const FilterBar = ({ search, change }: FilterBarProps) => {
  const { actors, actions, resources } = useOptions();
  // Another question has other pages.
  const set = (name: string, value: string | undefined): void =>
    change({ [name]: value, cursor: undefined, entry: undefined });
  const choose = (name: string) => ({
    value: search[name] ?? '',
    onChange: (event: ChangeEvent<HTMLSelectElement>) => set(name, event.target.value),
  });
  const time = (name: string) => ({
    type: 'datetime-local',
    value: fieldTime(search[name]),
    onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, isoTime(event.target.value)),
  });
  return (
    <Card>
      <search className={styles.filters}>
        <Select label="Who" {...choose('actor')} options={actors} />
        <Select label="Action" {...choose('action')} options={actions} />
        <Select label="Stack" {...choose('resource')} options={resources} />
        <Select
          label="Result"
          {...choose('decision')}
          options={[
            { value: '', label: 'Any' },
            { value: 'allowed', label: 'Allowed' },
            { value: 'denied', label: 'Denied' },
          ]}
        />
        <Field label="From" {...time('from')} />
        <Field label="Before" {...time('to')} />
        <Clear search={search} change={change} />
      </search>
    </Card>
  );
};
