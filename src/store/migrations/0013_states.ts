/** Resources that the request for a version allows to skip while an earlier update is undone, as a JSON list. */
export const states: readonly string[] = [
  `alter table versions add column skip_resources text not null default '[]'`,
];
