/** Limits for the reports of agents: their events are counted by time, and old ones are combined. */
export const streams: readonly string[] = [
  `create index events_by_kind on events (stack_id, kind, at)`,
  `alter table events add column folded bigint not null default 0`,
];
