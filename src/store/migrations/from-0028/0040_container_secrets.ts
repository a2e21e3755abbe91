/** Secrets of an account for its containers, the versions that use them, and why a rollout began. */
export const containerSecrets: readonly string[] = [
  `create table account_secrets (
     account_id text not null, name text not null, sealed_value text not null,
     revision bigint not null, given_revision bigint not null,
     created_by text not null, updated_by text not null, updated_at bigint not null,
     primary key (account_id, name))`,
  `create table secret_uses (version_id text not null, name text not null, primary key (version_id, name))`,
  `alter table rollouts add column cause text not null default ''`,
];
