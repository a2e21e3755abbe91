import { createHash } from 'node:crypto';
import { utcTime } from '../../basics/clock.ts';
import { type AuditRow, auditedAccounts, listAudit } from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';

type Unchained = Omit<AuditRow, 'hash'>;

/** An entry as it is shown and hashed: members sorted by name, so that anybody can form the same text again. */
export const presentAudit = (entry: Unchained) => ({
  account_id: entry.account_id,
  action: entry.action,
  actor: entry.actor,
  actor_kind: entry.actor_kind,
  address: entry.address,
  decision: entry.decision,
  // Left out where there is none: entries from before it was known keep their hashes.
  ...(entry.detail === null ? {} : { detail: entry.detail }),
  number: entry.number,
  owner: entry.owner,
  request_id: entry.request_id,
  resource: entry.resource,
  route: entry.route,
  status: entry.status,
  time: utcTime(entry.at),
});

/** Covers the entry and, through the hash before it, all that came earlier. The first follows an empty text. */
export const chainHash = (previous: string, entry: Unchained): string =>
  createHash('sha256')
    .update(previous + JSON.stringify(presentAudit(entry)))
    .digest('hex');

/** Puts entries behind the end of a chain, numbered without gaps. */
export function chainOn(
  last: Pick<AuditRow, 'number' | 'hash'> | undefined,
  entries: readonly Omit<Unchained, 'number'>[],
): AuditRow[] {
  let { number, hash } = last ?? { number: 0, hash: '' };
  return entries.map((entry) => {
    number += 1;
    hash = chainHash(hash, { ...entry, number });
    return { ...entry, number, hash };
  });
}

export type ChainCheck =
  | { accountId: string; whole: true; entries: number; lastHash: string }
  | { accountId: string; whole: false; number: number; trouble: string };

const pageSize = 1000;

/** Where the page does not follow what came before it. */
function findBreak(page: readonly AuditRow[], last: Pick<AuditRow, 'number' | 'hash'>) {
  let { number, hash } = last;
  for (const row of page) {
    number += 1;
    if (row.number !== number) return { number, trouble: 'is missing' };
    if (row.hash !== chainHash(hash, row)) return { number, trouble: 'is not what was recorded' };
    hash = row.hash;
  }
  return null;
}

async function checkChain(query: Query, accountId: string): Promise<ChainCheck> {
  let last = { number: 0, hash: '' };
  for (;;) {
    const range = { order: 'oldest first', after: last.number, limit: pageSize } as const;
    const page = await listAudit(query, accountId, range);
    const broken = findBreak(page, last);
    if (broken) return { accountId, whole: false, ...broken };
    last = page.at(-1) ?? last;
    if (page.length < pageSize) return { accountId, whole: true, entries: last.number, lastHash: last.hash };
  }
}

/** Walks every account's chain, a page at a time, also while servers add to it. */
export async function* checkChains(query: Query): AsyncGenerator<ChainCheck> {
  for (const accountId of await auditedAccounts(query)) yield checkChain(query, accountId);
}
