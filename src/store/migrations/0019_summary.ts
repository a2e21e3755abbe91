/**
 * What the summary of a stack shows, so that a list of a thousand stacks reads no documents. `running`, `label` and `wanted` are
 * null in rows that were written before: they are computed when they are read.
 */
export const summary: readonly string[] = [
  `alter table stacks add column changed_at bigint not null default 0`,
  `alter table stacks add column requested_by text not null default ''`,
  `alter table stacks add column running bigint`,
  `alter table stacks add column drift_state text`,
  `alter table stacks add column drift_checked_at bigint`,
  `alter table versions add column label text`,
  `alter table versions add column wanted bigint`,
  `create index stacks_by_change on stacks (account_id, changed_at)`,
];
