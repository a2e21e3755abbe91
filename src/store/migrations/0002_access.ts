/** Users other than the master user, roles and the audit log. */
export const access: readonly string[] = [
  `alter table users add column last_login_at bigint`,
  `alter table api_clients add column label text not null default ''`,
  `alter table access_tokens add column id text not null default ''`,
  `create table roles (
     id text primary key, account_id text not null references accounts (id), name text not null, scope text not null,
     created_at bigint not null, updated_at bigint not null)`,
  `create index roles_of_account on roles (account_id, created_at)`,
  `create table user_roles (
     id text primary key, account_id text not null references accounts (id), user_id text not null references users (id),
     role_id text not null references roles (id), created_at bigint not null, updated_at bigint not null, unique (user_id, role_id))`,
  `create table audit (
     account_id text not null references accounts (id), number bigint not null, at bigint not null, actor_kind text not null,
     actor text not null, action text not null, resource text not null, owner text not null, decision text not null,
     route text not null, status bigint not null, address text not null, request_id text not null, hash text not null,
     primary key (account_id, number))`,
  `create index audit_by_time on audit (account_id, at)`,
];
