import type { KeyObject } from 'node:crypto';
import { type AuditRow, listAudit } from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';
import { isSignedBy, keyIdOf, publicPartOf, signText } from './checkpoint-key.ts';

/** The entry up to which the log was deleted because of its age. */
export type DeletedUpTo = Pick<AuditRow, 'number' | 'hash'>;

/** Public parts of keys by id. Undefined: signatures are not checked. */
export type TrustedKeys = ReadonlyMap<string, string> | undefined;

const action = 'delete-old-entries';

const signedTextOf = (account: string, { number, hash }: DeletedUpTo): string =>
  JSON.stringify({ account, hash, kind: 'deleted', number });

/** The entry that records a deletion. No call of a user, and nobody with access to the database alone, can make one like it. */
export const deletionEntry = (key: KeyObject, accountId: string, deleted: DeletedUpTo) => ({
  account_id: accountId,
  actor_kind: 'operator' as const,
  actor: 'operator',
  action,
  resource: `audit entries 1 to ${deleted.number}`,
  route: 'ALM_KEEP_AUDIT_DAYS',
  detail: [
    `hash ${deleted.hash}`,
    `key ${keyIdOf(publicPartOf(key))}`,
    `signature ${signText(key, signedTextOf(accountId, deleted))}`,
  ].join(' '),
});

const resourcePattern = /^audit entries 1 to (\d+)$/;
const detailPattern = /^hash ([0-9a-f]{64}) key (\S+) signature (\S+)$/;

function readEntry(entry: AuditRow, trusted: TrustedKeys): DeletedUpTo | null {
  const [, number] = resourcePattern.exec(entry.resource) ?? [];
  const [, hash, key, signature] = detailPattern.exec(entry.detail ?? '') ?? [];
  if (entry.actor_kind !== 'operator' || !number || !hash || !key || !signature) return null;
  const deleted = { number: Number(number), hash };
  const publicPart = trusted?.get(key) ?? '';
  const isValid = !trusted || isSignedBy(publicPart, signedTextOf(entry.account_id, deleted), signature);
  return isValid ? deleted : null;
}

/** The last deletion; null: nothing was deleted, or a key that is not trusted recorded it. */
export async function findDeletion(
  query: Query,
  accountId: string,
  trusted: TrustedKeys,
): Promise<DeletedUpTo | null> {
  const [entry] = await listAudit(query, accountId, { action, order: 'newest first', limit: 1 });
  return entry ? readEntry(entry, trusted) : null;
}
