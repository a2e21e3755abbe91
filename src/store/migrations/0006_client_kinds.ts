/** Kinds of API clients, their roles and users, and the client behind every token and audit entry. Older clients keep all rights. */
export const clientKinds: readonly string[] = [
  `alter table api_clients add column kind text not null default 'owner'`,
  `alter table access_tokens add column client_kind text not null default 'owner'`,
  `update access_tokens set client_kind = 'agent' where kind = 'stack'`,
  `update access_tokens set client_kind = 'sign-in' where client_id = 'gateway'`,
  `alter table audit add column client_id text`,
  `alter table audit add column client_kind text`,
  `create table client_roles (
     client_id text not null references api_clients (id), role_id text not null references roles (id),
     account_id text not null references accounts (id), created_at bigint not null, primary key (client_id, role_id))`,
  `create table client_users (
     client_id text not null references api_clients (id), user_id text not null references users (id),
     last_login_at bigint not null, primary key (client_id, user_id))`,
  `insert into client_users (client_id, user_id, last_login_at)
     select client_id, subject, max(issued_at) from access_tokens
     where kind = 'user' and client_id in (select id from api_clients) and subject in (select id from users)
     group by client_id, subject`,
];
