/** Passkeys of users, and the challenges that were answered with one: each counts once. */
export const passkeys: readonly string[] = [
  `create table passkeys (
     id text primary key, account_id text not null references accounts (id),
     user_id text not null references users (id) on delete cascade, credential_id text not null unique,
     public_key text not null, counter bigint not null, transports text not null, name text not null,
     created_at bigint not null, last_used_at bigint)`,
  `create index passkeys_of_user on passkeys (user_id, created_at)`,
  `create table used_challenges (hash text primary key, expires_at bigint not null)`,
  `create index used_challenges_expiry on used_challenges (expires_at)`,
];
