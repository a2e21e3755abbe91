/** What a deletion does with data, and what a cancelled update would have removed. */
export const data: readonly string[] = [
  `alter table stacks add column data_choice text not null default 'keep'`,
  `alter table stacks add column data_note text not null default ''`,
  `alter table stacks add column cancelled_version text`,
  `alter table stacks add column cancelled_data text not null default ''`,
];
