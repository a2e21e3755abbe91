/** Accounts that the operator creates, suspends, limits and deletes. A null quota is the default of the server. */
export const accounts: readonly string[] = [
  `alter table accounts add column name text not null default ''`,
  `alter table accounts add column suspended_at bigint`,
  `alter table accounts add column deleted_at bigint`,
  `alter table accounts add column max_stacks bigint`,
  `alter table accounts add column max_versions bigint`,
  `alter table accounts add column max_streams bigint`,
  `alter table accounts add column max_requests bigint`,
];
