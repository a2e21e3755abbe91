import { hash as hashOnce } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { utcTime } from '../../basics/clock.ts';
import { type AuditRow, auditedAccounts, listAudit } from '../../store/access/audit.ts';
import type { Query } from '../../store/database/database.ts';
import { findFirstAudit } from '../../store/retention/old-audit.ts';
import type { Anchors, Checkpoint } from './checkpoint.ts';
import { findDeletion, type TrustedKeys } from './deleted-start.ts';

type Unchained = Omit<AuditRow, 'hash'>;

/** An entry as it is shown and hashed. Members are sorted by name, so that others can reproduce the hashed text. */
export const presentAudit = (entry: Unchained) => ({
  account_id: entry.account_id,
  action: entry.action,
  actor: entry.actor,
  actor_kind: entry.actor_kind,
  address: entry.address,
  // Omitted when absent, here and below, so that entries older than these members keep their hashes.
  ...(entry.client_id === null ? {} : { client_id: entry.client_id }),
  ...(entry.client_kind === null ? {} : { client_kind: entry.client_kind }),
  decision: entry.decision,
  ...(entry.detail === null ? {} : { detail: entry.detail }),
  number: entry.number,
  owner: entry.owner,
  request_id: entry.request_id,
  resource: entry.resource,
  route: entry.route,
  status: entry.status,
  time: utcTime(entry.at),
  ...(entry.token === null ? {} : { token: entry.token }),
});

/** Covers the entry and, through the previous hash, all earlier ones. The hash before the first entry is empty. */
const chainHash = (previous: string, entry: Unchained): string =>
  hashOnce('sha256', previous + JSON.stringify(presentAudit(entry)), 'hex');

/** Appends entries to a chain, numbered without gaps. */
export function appendToChain(
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
  | { accountId: string; isIntact: true; entries: number; deleted: number; lastHash: string }
  | { accountId: string; isIntact: false; deleted: number; number: number; problem: string };

const pageSize = 1000;

type Expected = ReadonlyMap<number, Checkpoint>;

/** `hash` null: the entry before was deleted, and so was what its hash is known from. */
type Last = Pick<AuditRow, 'number'> & { hash: string | null };

/** Finds the first entry that does not continue the chain, or differs from a checkpoint. */
function findBreak(page: readonly AuditRow[], last: Last, expected: Expected) {
  let { number, hash } = last;
  for (const row of page) {
    number += 1;
    if (row.number !== number) return { number, problem: 'is missing' };
    if (hash !== null && row.hash !== chainHash(hash, row))
      return { number, problem: 'is not what was recorded' };
    hash = row.hash;
    const checkpoint = expected.get(number);
    if (checkpoint && checkpoint.hash !== hash)
      return {
        number,
        problem: `is not the one of the checkpoint of ${checkpoint.time}: the log was rewritten`,
      };
  }
  return null;
}

/** Finds entries that a checkpoint has and the log does not. */
function findCut(lastNumber: number, expected: Expected) {
  const [end] = [...expected.values()].toSorted((a, b) => b.number - a.number);
  if (!end || end.number <= lastNumber) return null;
  const problem = `and all later ones up to ${end.number} are missing: the checkpoint of ${end.time} has them`;
  return { number: lastNumber + 1, problem };
}

const beginning: Last = { number: 0, hash: '' };

/** What the chain begins after: deletions because of their age are recorded in the chain itself. */
async function startOf(query: Query, accountId: string, trusted: TrustedKeys): Promise<Last> {
  const deleted = await findDeletion(query, accountId, trusted);
  const first = deleted ? await findFirstAudit(query, accountId) : undefined;
  if (!deleted || first === undefined || first === 1 || first > deleted.number + 1) return beginning;
  if (first === deleted.number + 1) return deleted;
  // During the deletion, or killed during it: the rest follows.
  return { number: first - 1, hash: null };
}

export interface ChainExpectations {
  checkpoints?: Expected | undefined;
  /** Of records of deletions. */
  trusted?: TrustedKeys;
}

/** Verifies the chain of one account. Old entries may be deleted at the same time: then it begins again. */
export async function checkChain(
  query: Query,
  accountId: string,
  expectations: ChainExpectations = {},
): Promise<ChainCheck> {
  const start = await startOf(query, accountId, expectations.trusted);
  const check = await checkFrom(query, { accountId, start, expected: expectations.checkpoints ?? new Map() });
  if (check.isIntact) return check;
  const now = await startOf(query, accountId, expectations.trusted);
  return now.number === start.number ? check : checkChain(query, accountId, expectations);
}

interface Chain {
  accountId: string;
  start: Last;
  expected: Expected;
}

async function checkFrom(query: Query, { accountId, start, expected }: Chain): Promise<ChainCheck> {
  const deleted = start.number;
  let last = start;
  for (;;) {
    const range = { order: 'oldest first', after: last.number, limit: pageSize } as const;
    const page = await listAudit(query, accountId, range);
    const broken = findBreak(page, last, expected);
    if (broken) return { accountId, isIntact: false, deleted, ...broken };
    last = page.at(-1) ?? last;
    // SQLite reads without waiting: other requests would not be answered until the end.
    await nextTurn();
    if (page.length === pageSize) continue;
    const cut = findCut(last.number, expected);
    return cut
      ? { accountId, isIntact: false, deleted, ...cut }
      : { accountId, isIntact: true, entries: last.number - deleted, deleted, lastHash: last.hash ?? '' };
  }
}

/** Verifies every account's chain, a page at a time, even while servers append to it, and compares it with checkpoints. */
export async function* checkChains(
  query: Query,
  anchors: Anchors = new Map(),
  trusted?: TrustedKeys,
): AsyncGenerator<ChainCheck> {
  const accountIds = new Set([...(await auditedAccounts(query)), ...anchors.keys()]);
  for (const accountId of accountIds)
    yield checkChain(query, accountId, { checkpoints: anchors.get(accountId), trusted });
}
