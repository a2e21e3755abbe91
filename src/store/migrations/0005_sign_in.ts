/** Sign-in: failed attempts by address, places from which users signed in, and who asked for a key link. */
export const signIn: readonly string[] = [
  `create index login_failures_noted on login_failures (noted_at)`,
  `create table known_places (
     subject text not null, place text not null, noted_at bigint not null, primary key (subject, place))`,
  `create index known_places_noted on known_places (noted_at)`,
  `alter table pem_links add column created_by text not null default ''`,
];
