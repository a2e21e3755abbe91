/** Who submitted a version, what layers follow, and deploy hooks. */
export const pushToDeploy: readonly string[] = [
  `create table version_submitters (
     version_id text not null primary key, kind text not null, subject text not null, token_hash text)`,
  `create table tracked_layers (
     stack_id text not null, flag text not null, repository text not null, due_at bigint,
     tried_digest text not null, missed_tag text not null, missed_digest text not null, missed_at bigint,
     primary key (stack_id, flag))`,
  `create index tracked_layers_by_repository on tracked_layers (repository)`,
  `create index tracked_layers_due on tracked_layers (due_at)`,
  `create table paused_stacks (
     stack_id text not null primary key, paused_by text not null, paused_at bigint not null)`,
  `create table deploy_hooks (
     id text not null primary key, stack_id text not null unique, sealed_secret text not null,
     kind text not null, subject text not null, token_hash text, created_by text not null,
     created_at bigint not null, last_used_at bigint, last_result text not null)`,
  `create table hook_deliveries (
     stack_id text not null, delivery text not null, at bigint not null, primary key (stack_id, delivery))`,
  `create index hook_deliveries_by_time on hook_deliveries (stack_id, at)`,
];
