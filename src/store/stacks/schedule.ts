import type { StackStatus } from '../../model/status.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';
import { insertNumbered, type NewEvent } from './events.ts';
import type { Claim } from './schedule/claim.ts';
import { isSummaryChanged, notePass } from './schedule/note-pass.ts';
import { type StackRow, viewColumn } from './stacks.ts';

export type { Claim } from './schedule/claim.ts';

const release = { lease_until: 0, lease_owner: '' };

const renewal = prebuilt((query, { until, id, epoch }: { until: number; id: string; epoch: number }) =>
  query.updateTable('stacks').set({ lease_until: until }).where('id', '=', id).where('epoch', '=', epoch),
);

/** False: another worker has claimed the stack; stop working on it. */
export const renewLease = async (
  query: Query,
  { id, epoch }: Pick<Claim, 'id' | 'epoch'>,
  until: number,
): Promise<boolean> => (await renewal.change(query, { until, id, epoch })) > 0;

/** Lets no other worker claim the stack until the end of the transaction. False: one has claimed it. */
export async function lockClaim(query: Query, claim: Claim): Promise<boolean> {
  const result = await query
    .updateTable('stacks')
    .set((row) => ({ epoch: row.ref('epoch') }))
    .where('id', '=', claim.id)
    .where('epoch', '=', claim.epoch)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Results that stay true if a newer request arrived during the pass. */
export interface Facts {
  view: StackRow['view'];
  settled_version: string | null;
  tried_wish: string;
  refused_wish: string;
  refused_reason: string;
  troubles: number;
  undoing: string;
  undoing_progress: string;
}

/** Results that apply only to the request the pass began with. */
export interface Verdict {
  status: StackStatus;
  status_reason: string;
  updated_at: number;
  deleted_at: number | null;
  next_at: number | null;
  /** See `stacks.swept`. */
  swept: string | null;
}

export type PassEnd = 'noted' | 'overtaken' | 'fenced';

export const countRunning = ({ instances }: StackRow['view']): number =>
  instances.filter(({ state }) => state === 'running').length;

/**
 * Records the result of a pass and releases the stack. `overtaken`: a newer request arrived, so only the facts are written
 * and the stack is due at once. `fenced`: the lease was lost and nothing was written. `events` are stored if it is `noted`.
 */
export async function endPass(
  query: Query,
  claim: Claim,
  {
    facts,
    verdict,
    now,
    events = [],
  }: { facts: Facts; verdict: Verdict; now: number; events?: readonly NewEvent[] },
): Promise<PassEnd> {
  const { id, epoch, wakes, next_at: claimedAt } = claim;
  const running = countRunning(facts.view);
  const known = { ...facts, view: viewColumn.format(facts.view), running };
  const isChanged = isSummaryChanged(claim, { ...facts, ...verdict, running });
  const noted = { ...known, ...verdict, id, epoch, wakes, claimedAt, now, added: events.length };
  const last = await notePass(query, noted, isChanged);
  if (last !== null) {
    await insertNumbered(query, [{ stackId: id, last, events }]);
    return 'noted';
  }
  const overtaken = await query
    .updateTable('stacks')
    .set({ ...known, ...release, next_at: now, changed_at: now })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  return overtaken.numUpdatedRows > 0n ? 'overtaken' : 'fenced';
}

/**
 * Ends a pass that failed with an internal error: shows the reason on the stack and schedules the retry. True: written.
 * False: the pass had been recorded, the lease was lost, or a newer request arrived, which makes the stack due at once.
 */
export async function postponePass(
  query: Query,
  claim: Claim,
  { reason, now, nextAt }: { reason: string; now: number; nextAt: number },
): Promise<boolean> {
  const mine = query
    .updateTable('stacks')
    .where('id', '=', claim.id)
    .where('epoch', '=', claim.epoch)
    .where('lease_owner', '=', claim.lease_owner);
  const postponed = await mine
    .set({
      ...release,
      next_at: nextAt,
      troubles: claim.troubles + 1,
      status_reason: reason,
      changed_at: now,
    })
    .where('wakes', '=', claim.wakes)
    .executeTakeFirst();
  if (postponed.numUpdatedRows > 0n) return true;
  await mine.set({ ...release, next_at: now }).execute();
  return false;
}

/** On a graceful stop: other servers do not have to wait until the leases expire. */
export const releaseLeases = async (query: Query, owner: string): Promise<void> => {
  await query.updateTable('stacks').set(release).where('lease_owner', '=', owner).execute();
};

/**
 * Makes a stack due at this time at the latest, because its vendor says that it changed. A pass that runs now may have read it
 * before the change, so another one follows. False: there is no such stack.
 */
export async function lookAtStack(
  query: Query,
  stack: Pick<StackRow, 'id' | 'vendor' | 'region'>,
  at: number,
): Promise<boolean> {
  const result = await query
    .updateTable('stacks')
    .set((row) => ({
      next_at: row.case().when('next_at', '>', at).then(at).else(row.ref('next_at')).end(),
      wakes: row('wakes', '+', 1),
    }))
    .where('id', '=', stack.id)
    .where('vendor', '=', stack.vendor)
    .where('region', '=', stack.region)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Makes a stack due now without a new request. */
export const wakeStack = async (query: Query, id: string, now: number): Promise<void> => {
  await query
    .updateTable('stacks')
    .set((set) => ({ next_at: now, wakes: set('wakes', '+', 1) }))
    .where('id', '=', id)
    .execute();
};

/**
 * Makes a stack due at this time at the latest. A stack that is due by then stays as it is. A pass that runs now records its
 * verdict, and another one follows: while many servers come up, the progress of the stack shows.
 */
export const wakeStackSoon = async (
  query: Query,
  id: string,
  { now, at }: { now: number; at: number },
): Promise<void> => {
  await query
    .updateTable('stacks')
    .set({ next_at: at })
    .where('id', '=', id)
    .where((row) =>
      row.or([row('next_at', 'is', null), row('next_at', '>', at), row('lease_until', '>=', now)]),
    )
    .execute();
};

/** Makes a stack due at this time at the latest, if no pass over it is due or runs before. */
export const lookAtStackBy = async (query: Query, id: string, at: number): Promise<void> => {
  await query
    .updateTable('stacks')
    .set({ next_at: at })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where((row) => row.or([row('next_at', 'is', null), row('next_at', '>', at)]))
    .execute();
};
