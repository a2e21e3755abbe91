/** Resources with data whose replacement by empty ones the request for a version confirmed, as a JSON list. */
export const replacedData: readonly string[] = [
  `alter table versions add column replaced_data text not null default '[]'`,
];
