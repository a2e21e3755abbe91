/** Personal access tokens, second factors, and the token that an audited call used. */
export const personal: readonly string[] = [
  `create table personal_tokens (
     hash text primary key, id text not null unique, account_id text not null references accounts (id),
     user_id text not null references users (id) on delete cascade, name text not null, role_ids text not null, scope text,
     created_at bigint not null, expires_at bigint not null, last_used_at bigint)`,
  `create index personal_tokens_of_user on personal_tokens (user_id, created_at)`,
  `alter table audit add column token text`,
  `create table second_factors (
     user_id text primary key references users (id) on delete cascade, account_id text not null references accounts (id),
     sealed_secret text not null, confirmed_at bigint, last_step bigint not null, created_at bigint not null)`,
  `create table recovery_codes (
     user_id text not null references users (id) on delete cascade, hash text not null, primary key (user_id, hash))`,
];
