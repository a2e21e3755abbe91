/**
 * For accounts with many stacks and long audit logs: lists and filters read only what they return. Deleted stacks stay in the table, and
 * are in none of the indexes of lists.
 */
export const large: readonly string[] = [
  `drop index stacks_of_account`,
  `create index stacks_living on stacks (account_id, created_at, id) where deleted_at is null`,
  `create index stacks_by_status on stacks (status, account_id, created_at, id, deleted_at) where deleted_at is null`,
  `create index stacks_by_nickname on stacks (account_id, nickname, created_at, id) where deleted_at is null`,
  `create index audit_by_resource on audit (account_id, resource, number)`,
  `create index audit_by_actor on audit (account_id, actor, number)`,
  `create index audit_by_action on audit (account_id, action, number)`,
  `create index audit_by_decision on audit (account_id, decision, number)`,
];
