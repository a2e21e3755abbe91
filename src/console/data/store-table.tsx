import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { Table } from '../lists/table.tsx';
import { When } from '../parts/reading/when.tsx';
import { Pill } from '../parts/status/status-phase.tsx';
import { StoreActs } from './acts.tsx';
import styles from './data.module.css';
import { type DataStore, kinds, states } from './stores.ts';

const Cell = ({ children }: { children: ReactNode }) => <span className={styles.cell}>{children}</span>;

const Name = ({ store: { kind, name, resource, resource_type } }: { store: DataStore }) => (
  <Cell>
    <strong>
      {kinds[kind]} {name}
    </strong>
    <small>
      {resource_type} {resource}
    </small>
  </Cell>
);

const Place = ({ store: { vendor, region, store_id } }: { store: DataStore }) => (
  <Cell>
    <code>{store_id}</code>
    <small>{[vendor, region].filter(Boolean).join(' · ')}</small>
  </Cell>
);

const Ended = ({ at, by }: { at: string; by: string }) => (
  <small>
    ended <When at={at} />
    {by && `, released by ${by}`}
  </small>
);

const State = ({ store }: { store: DataStore }) => {
  const { tone, word } = states[store.state];
  return (
    <Cell>
      <Pill tone={tone}>{word}</Pill>
      {store.protected && <small>protected</small>}
      {store.ended_at && <Ended at={store.ended_at} by={store.released_by} />}
    </Cell>
  );
};

const Since = ({ store: { since, restored_from: from } }: { store: DataStore }) => (
  <Cell>
    {since && <When at={since} />}
    {from && (
      <small>
        restored from <code>{from}</code>
      </small>
    )}
  </Cell>
);

const Kept = ({ store: { kept } }: { store: DataStore }) =>
  kept && (
    <Cell>
      <span>{kept.where}</span>
      <small>
        <code>{kept.reference}</code>
        {kept.since && (
          <>
            {' '}
            since <When at={kept.since} />
          </>
        )}
        {', '}
        {kept.until ? (
          <>
            until <When at={kept.until} />
          </>
        ) : (
          'without an end'
        )}
      </small>
    </Cell>
  );

const stackColumn = {
  title: 'Stack',
  cell: ({ stack_id, nickname }: DataStore) => (
    <Link to={addressOf(pages.stackData, { id: stack_id })}>{nickname}</Link>
  ),
};

const columnsFor = (hasStack: boolean) => [
  { title: 'Store', cell: (store: DataStore) => <Name store={store} /> },
  ...(hasStack ? [stackColumn] : []),
  { title: 'State', cell: (store: DataStore) => <State store={store} /> },
  { title: 'Where', cell: (store: DataStore) => <Place store={store} /> },
  {
    title: 'Size',
    end: true,
    cell: ({ size_gib }: DataStore) => (size_gib === null ? '' : `${size_gib} GiB`),
  },
  { title: 'Since', cell: (store: DataStore) => <Since store={store} /> },
  { title: 'Kept', cell: (store: DataStore) => <Kept store={store} /> },
  { title: '', end: true, cell: (store: DataStore) => <StoreActs store={store} /> },
];

interface StoreTableProps {
  stores: readonly DataStore[];
  /** Of several stacks. */
  hasStack?: boolean;
}

export const StoreTable = ({ stores, hasStack = false }: StoreTableProps) => (
  <Table label="Stores of data" columns={columnsFor(hasStack)} rows={stores} keyOf={({ id }) => id} />
);
