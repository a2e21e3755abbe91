/**
 * The ledger of everything that holds data at vendors, and what callers released of it. All stacks are looked at once, so that it is
 * filled soon after the upgrade. What a caller confirmed for an update that is
 * in progress has to be confirmed again.
 */
export const dataStores: readonly string[] = [
  `create table data_stores (
     id text primary key, account_id text not null, stack_id text not null, store_id text not null,
     resource text not null, resource_type text not null, kind text not null, name text not null, size_gib bigint,
     state text not null, version_id text not null, since bigint not null, restored_from text,
     reference text, kept_where text not null, kept_since bigint, kept_until bigint,
     ended_at bigint, ended_by text not null)`,
  `create unique index data_stores_of_stack on data_stores (stack_id, store_id)`,
  `create index data_stores_of_account on data_stores (account_id, since, id)`,
  `create table data_releases (
     store text not null, intent text not null, stack_id text not null, choice text not null,
     released_by text not null, released_at bigint not null,
     primary key (store, intent))`,
  `create index data_releases_of_stack on data_releases (stack_id, intent)`,
  `alter table versions add column cancelled_at bigint`,
  `alter table versions add column restored_data text not null default '{}'`,
  `alter table versions drop column replaced_data`,
  `update stacks set next_at = 0, swept = null where deleted_at is null`,
];
