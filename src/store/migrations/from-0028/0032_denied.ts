/** Every request adds an audit entry, and few are denied: only these are in an index. Among the others, the newest are soon found. */
export const denied: readonly string[] = [
  `drop index audit_by_decision`,
  `create index audit_denied on audit (account_id, number) where decision = 'denied'`,
];
