/** Sign-in with an OpenID provider, and the origin of each access token. */
export const openId: readonly string[] = [
  `alter table access_tokens add column grant_type text not null default ''`,
  `alter table access_tokens add column address text not null default ''`,
  `alter table access_tokens add column user_agent text not null default ''`,
  `alter table access_tokens add column last_used_at bigint`,
  `create table openid_identities (
     account_id text not null references accounts (id), issuer text not null, subject text not null,
     user_id text not null references users (id), created_at bigint not null, primary key (account_id, issuer, subject),
     unique (user_id))`,
  `create table sign_in_codes (
     hash text primary key, user_id text not null references users (id), client_id text not null,
     code_challenge text not null, expires_at bigint not null)`,
  `create index sign_in_codes_expiry on sign_in_codes (expires_at)`,
];
