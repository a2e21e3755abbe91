/** Whose rows a server keeps in memory: see `store/database/postgres/table-changes.ts`. */
export const countedTables = [
  'access_tokens',
  'accounts',
  'client_roles',
  'credentials',
  'personal_tokens',
  'roles',
  'stacks',
  'user_roles',
  'users',
  'versions',
] as const;

const rowsOf = { insert: 'new', update: 'new', delete: 'old' };

/** A statement that changes no row counts nothing: most looks for due stacks find none. */
const triggersOf = (table: string): string[] =>
  Object.entries(rowsOf).map(
    ([verb, side]) => `create trigger ${table}_${verb}_counted after ${verb} on ${table}
      referencing ${side} table as changed for each statement execute function count_change()`,
  );

/**
 * Only on PostgreSQL: counts the changes of tables, so that servers can recognize what they read earlier as still true. Each connection
 * has rows of its own, so that none waits for another; what counts is the sum of those that are committed.
 */
export const tableChanges: readonly string[] = [
  `create table table_changes (
    backend integer not null,
    name text not null,
    number bigint not null,
    primary key (backend, name)
  ) with (fillfactor = 50)`,
  `create function count_change() returns trigger language plpgsql as $$
  begin
    if exists (select from changed) then
      insert into table_changes (backend, name, number) values (pg_backend_pid(), tg_table_name, 1)
        on conflict (backend, name) do update set number = table_changes.number + 1;
    end if;
    return null;
  end $$`,
  ...countedTables.flatMap(triggersOf),
];
