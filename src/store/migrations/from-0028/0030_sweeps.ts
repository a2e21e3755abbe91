/**
 * Settled stacks are looked at together: one task for each credential and region compares what the cloud shows with `swept`. Null: the
 * stack is looked at alone. Empty: no sweep has seen it yet.
 */
export const sweeps: readonly string[] = [
  `create table sweeps (
     id text primary key, account_id text not null, vendor text not null, credential_id text not null, region text not null,
     next_at bigint not null, lease_until bigint not null, lease_owner text not null, epoch bigint not null,
     requests bigint not null, troubles bigint not null)`,
  `create index sweeps_due on sweeps (next_at)`,
  `alter table stacks add column swept text`,
  `create index stacks_swept on stacks (account_id, vendor, credential_id, region, id, swept) where swept is not null`,
  `alter table sandbox_stacks add column revision bigint not null default 0`,
  `create index sandbox_revisions on sandbox_stacks (cloud_account, stack_id, revision)`,
];
