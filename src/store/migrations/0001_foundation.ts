/** Plain SQL for both SQLite and PostgreSQL. A released migration is never edited. */
export const foundation: readonly string[] = [
  `create table meta (key text primary key, value text not null)`,
  `create table accounts (id text primary key, created_at bigint not null)`,
  `create table users (
     id text primary key, account_id text not null references accounts (id), username text not null, email text not null,
     password_hash text not null, master bigint not null, created_at bigint not null, unique (account_id, username))`,
  `create table api_clients (
     id text primary key, account_id text not null references accounts (id), secret_hash text not null, created_at bigint not null)`,
  `create table access_tokens (
     hash text primary key, account_id text not null, kind text not null, subject text not null, client_id text not null,
     issued_at bigint not null, expires_at bigint not null)`,
  `create index access_tokens_expiry on access_tokens (expires_at)`,
  `create index access_tokens_subject on access_tokens (subject)`,
  `create table login_failures (
     subject text primary key, failures bigint not null, blocked_until bigint not null, noted_at bigint not null)`,
  `create table credentials (
     account_id text not null references accounts (id), vendor text not null, id text not null, driver text not null,
     label text not null, sealed_secret text not null, updated_at bigint not null, primary key (account_id, vendor, id))`,
  `create table stacks (
     id text primary key, account_id text not null references accounts (id), created_by text not null, language text not null,
     vendor text not null, region text not null, credential_id text not null, nickname text not null,
     sealed_auth_token text not null,
     operation text not null, desired_version text not null, delete_requests bigint not null,
     status text not null, status_reason text not null, settled_version text, tried_wish text not null,
     refused_wish text not null, refused_reason text not null, view text not null,
     created_at bigint not null, updated_at bigint not null, deleted_at bigint, event_count bigint not null,
     next_at bigint, lease_until bigint not null, lease_owner text not null, epoch bigint not null, wakes bigint not null,
     troubles bigint not null)`,
  `create index stacks_due on stacks (next_at)`,
  `create index stacks_of_account on stacks (account_id, created_at, id)`,
  `create table versions (
     id text primary key, stack_id text not null references stacks (id), number bigint not null, document text not null,
     size bigint not null, model text not null, vendor_document text not null, created_by text not null,
     created_at bigint not null, unique (stack_id, number))`,
  `create table version_secrets (
     version_id text not null references versions (id), name text not null, sealed text not null, primary key (version_id, name))`,
  `create table events (
     stack_id text not null references stacks (id), number bigint not null, at bigint not null, kind text not null,
     resource text not null, resource_type text not null, status text not null, message text not null, version_id text not null,
     vendor_event_id text, primary key (stack_id, number), unique (stack_id, vendor_event_id))`,
  `create table layer_revisions (
     stack_id text not null references stacks (id), flag text not null, digest text not null, updated bigint not null,
     primary key (stack_id, flag))`,
  `create table agents (
     stack_id text not null references stacks (id), agent_id text not null, instance_id text not null, status text not null,
     message text not null, updated_at bigint not null, primary key (stack_id, agent_id))`,
  `create table containers (
     stack_id text not null references stacks (id), container_id text not null, account_id text not null, agent_id text not null,
     instance_id text not null, status text not null, updated_at bigint not null, primary key (stack_id, container_id))`,
  `create index containers_by_id on containers (account_id, container_id)`,
  `create index containers_by_instance on containers (account_id, instance_id)`,
  `create table replacements (
     stack_id text not null references stacks (id), instance_id text not null, noticed_at bigint not null, asked_at bigint,
     primary key (stack_id, instance_id))`,
  `create table pem_links (
     hash text primary key, stack_id text not null references stacks (id), flag text not null, expires_at bigint not null,
     reads_left bigint not null)`,
  `create table idempotency_keys (
     account_id text not null references accounts (id), key text not null, fingerprint text not null, result text not null,
     created_at bigint not null, primary key (account_id, key))`,
  `create table durations (
     stack_id text not null references stacks (id), ended_at bigint not null, driver text not null, operation text not null,
     milliseconds bigint not null, primary key (stack_id, ended_at))`,
  `create index durations_by_kind on durations (driver, operation, ended_at)`,
  `create table sandbox_stacks (
     cloud_account text not null, stack_id text not null, record text not null, primary key (cloud_account, stack_id))`,
  `create table sandbox_faults (cloud_account text primary key, record text not null)`,
];
