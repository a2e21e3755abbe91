import { type AuditRow, listAudit } from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';

/** The entry up to which the log was deleted because of its age. */
export type DeletedUpTo = Pick<AuditRow, 'number' | 'hash'>;

const action = 'delete-old-entries';

/** The entry that records a deletion. No call of a user can make one like it. */
export const deletionEntry = (accountId: string, { number, hash }: DeletedUpTo) => ({
  account_id: accountId,
  actor_kind: 'operator' as const,
  actor: 'operator',
  action,
  resource: `audit entries 1 to ${number}`,
  route: 'ALM_KEEP_AUDIT_DAYS',
  detail: `hash ${hash}`,
});

const numberIn = (resource: string): number => Number(/^audit entries 1 to (\d+)$/.exec(resource)?.[1] ?? 0);
const hashIn = (detail: string | null): string => /^hash ([0-9a-f]{64})$/.exec(detail ?? '')?.[1] ?? '';

/** The last deletion; null: nothing was deleted. */
export async function findDeletion(query: Query, accountId: string): Promise<DeletedUpTo | null> {
  const [entry] = await listAudit(query, accountId, { action, order: 'newest first', limit: 1 });
  if (entry?.actor_kind !== 'operator') return null;
  return { number: numberIn(entry.resource), hash: hashIn(entry.detail) };
}
