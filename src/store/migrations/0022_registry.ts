/** Keys of registry tokens, the index of repositories and images, and what agents may pull. `platforms` is a JSON array. */
export const registry: readonly string[] = [
  `create table registry_keys (
     id text primary key, sealed_key text not null, certificate text not null, state text not null, created_at bigint not null)`,
  // One current and one next key, also when several servers start at once.
  `create unique index registry_keys_state on registry_keys (state) where state <> 'old'`,
  `create table registry_repositories (
     name text primary key, account_id text not null references accounts (id), description text not null,
     visibility text not null, created_at bigint not null, updated_at bigint not null)`,
  `create index registry_repositories_of_account on registry_repositories (account_id, name)`,
  `create table registry_images (
     repository text not null references registry_repositories (name) on delete cascade, tag text not null, digest text not null,
     media_type text not null, size bigint not null, platforms text not null, pushed_by text not null, pushed_at bigint,
     pulled_at bigint, primary key (repository, tag))`,
  `create index registry_images_by_digest on registry_images (repository, digest)`,
  `create table version_pulls (
     version_id text not null references versions (id) on delete cascade, repository text not null, primary key (version_id, repository))`,
];
