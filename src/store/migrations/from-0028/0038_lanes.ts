/** Claims are made by credential, so that no credential keeps the others waiting. */
export const lanes: readonly string[] = [
  `create index stacks_by_lane on stacks (account_id, vendor, credential_id, next_at)`,
  `create index stacks_due_lanes on stacks (next_at, account_id, vendor, credential_id)`,
  `drop index stacks_due`,
];
