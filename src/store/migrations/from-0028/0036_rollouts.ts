/** Rollouts of revisions to the instances of a layer, what each instance runs, and what both mean for the stack. */
export const rollouts: readonly string[] = [
  `create table rollouts (
     stack_id text not null, flag text not null, revision bigint not null, version_id text not null,
     image text not null, state text not null, began_at bigint not null, deadline_at bigint, ended_at bigint,
     wanted bigint not null, serving bigint not null, failing bigint not null,
     reason text not null, last_lines text not null, stays bigint not null,
     primary key (stack_id, flag, revision))`,
  `create index rollouts_by_end on rollouts (ended_at)`,
  `create table app_instances (
     stack_id text not null, instance_id text not null, flag text not null,
     revision bigint not null, serving_revision bigint not null, state text not null, is_definite bigint not null,
     since bigint not null, reason text not null, last_lines text not null,
     image text not null, digest text not null, reported_at bigint not null, every_seconds bigint not null,
     primary key (stack_id, instance_id))`,
  `alter table agents add column app_digest text not null default ''`,
  `alter table stacks add column replaces_servers bigint not null default 0`,
  `alter table stacks add column health text not null default 'unknown'`,
  `alter table stacks add column health_reason text not null default ''`,
  `alter table stacks add column undoing text not null default ''`,
  `alter table stacks add column undoing_progress text not null default ''`,
  `insert into rollouts
     select layer_revisions.stack_id, flag, updated, desired_version, '', 'unknown', updated * 1000, null, updated * 1000,
            0, 0, 0, '', '', 0
     from layer_revisions join stacks on stacks.id = layer_revisions.stack_id`,
  `update stacks set health = 'none'
     where not exists (select 1 from layer_revisions where layer_revisions.stack_id = stacks.id)`,
  `alter table versions add column cause text not null default ''`,
  `alter table versions add column returned_from text`,
];
