/** The vendor's id of the resource that an event is about, and the last event of each resource. */
export const resources: readonly string[] = [
  `alter table events add column physical_id text`,
  `create index events_of_resources on events (stack_id, resource, physical_id, number) where kind = 'resource'`,
];
