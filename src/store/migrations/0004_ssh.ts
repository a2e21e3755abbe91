/** Ssh to instances: pinned host keys, terminal tickets, and details in the audit log. */
export const ssh: readonly string[] = [
  `create table host_keys (
     stack_id text not null references stacks (id), instance_id text not null, host_key text not null, noted_at bigint not null,
     primary key (stack_id, instance_id))`,
  `create table terminal_tickets (
     hash text primary key, stack_id text not null references stacks (id), instance_id text not null, host text not null,
     ssh_user text not null, width bigint not null, height bigint not null, token_hash text not null,
     expires_at bigint not null)`,
  `alter table audit add column detail text`,
];
