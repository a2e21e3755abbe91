import type { ExpressionBuilder, Selectable } from 'kysely';
import { prebuilt } from '../../database/built/prebuilt.ts';
import type { Database, Query } from '../../database/database.ts';
import type { SweepTable, Tables } from '../../database/tables.ts';

/** One claim of the task that looks at all settled stacks of one credential in one region. Leased and fenced like a stack. */
export type Sweep = Selectable<SweepTable>;

/** Where the stacks of one sweep are. */
export type SweepPlace = Pick<Sweep, 'account_id' | 'vendor' | 'credential_id' | 'region'>;

const sweepId = ({ account_id, vendor, credential_id, region }: SweepPlace): string =>
  JSON.stringify([account_id, vendor, credential_id, region]);

const lockName = (place: SweepPlace): string => `sweep ${sweepId(place)}`;

type Joined = SweepPlace & Pick<Sweep, 'id' | 'next_at'>;

const joining = prebuilt((query, { id, account_id, vendor, credential_id, region, next_at }: Joined) => {
  const free = { lease_until: 0, lease_owner: '', epoch: 0, troubles: 0 };
  return query
    .insertInto('sweeps')
    .values({ id, account_id, vendor, credential_id, region, next_at, ...free })
    .onConflict((conflict) => conflict.column('id').doNothing());
});

/**
 * Call it in the transaction that lets a stack join: an existing sweep goes on, and a new one is due at this time. Any number of stacks
 * join at once; only the end of the sweep waits for them.
 */
export async function joinSweep(
  database: Database,
  query: Query,
  { place, nextAt }: { place: SweepPlace; nextAt: number },
): Promise<void> {
  const { account_id, vendor, credential_id, region } = place;
  await database.lockShared(query, lockName(place));
  const joined = { id: sweepId(place), account_id, vendor, credential_id, region, next_at: nextAt };
  await joining.change(query, joined);
}

/** The time when the next sweep is due that no server works on; undefined: there is none. `without`: accounts that are left out. */
export async function nextSweepTime(
  query: Query,
  now: number,
  without: readonly string[] = [],
): Promise<number | undefined> {
  const row = await query
    .selectFrom('sweeps')
    .select('next_at')
    .where('lease_until', '<', now)
    .$if(without.length > 0, (sweeps) => sweeps.where('account_id', 'not in', without))
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_at;
}

interface Lease {
  owner: string;
  now: number;
  until: number;
}

export async function claimDueSweep(
  database: Database,
  lease: Lease,
  without: readonly string[] = [],
): Promise<Sweep | undefined> {
  const { owner, now, until } = lease;
  return database.query
    .updateTable('sweeps')
    .set((row) => ({ lease_until: until, lease_owner: owner, epoch: row('epoch', '+', 1) }))
    .where('id', '=', (row) => {
      const due = row
        .selectFrom('sweeps')
        .select('id')
        .where('next_at', '<=', now)
        .where('lease_until', '<', now)
        .$if(without.length > 0, (sweeps) => sweeps.where('account_id', 'not in', without))
        .orderBy('next_at')
        .limit(1);
      return database.engine === 'postgres' ? due.forUpdate().skipLocked() : due;
    })
    .returningAll()
    .executeTakeFirst();
}

const mine = (query: Query, { id, epoch }: Sweep) =>
  query.updateTable('sweeps').where('id', '=', id).where('epoch', '=', epoch);

/** False: another server has claimed it. */
export const renewSweep = async (query: Query, sweep: Sweep, until: number): Promise<boolean> =>
  (await mine(query, sweep).set({ lease_until: until }).executeTakeFirst()).numUpdatedRows > 0n;

export const endSweep = async (
  query: Query,
  sweep: Sweep,
  after: Pick<Sweep, 'next_at' | 'troubles'>,
): Promise<void> => {
  await mine(query, sweep)
    .set({ ...after, lease_until: 0, lease_owner: '' })
    .execute();
};

export interface SweptStack {
  id: string;
  swept: string;
}

const isSweptAt =
  ({ account_id, vendor, credential_id, region }: SweepPlace) =>
  (row: ExpressionBuilder<Tables, 'stacks'>) =>
    row.and([row.and({ account_id, vendor, credential_id, region }), row('swept', 'is not', null)]);

/** A sweep without stacks ends for good, unless one joined. True: it ended. */
export const dropSweep = (database: Database, sweep: Sweep): Promise<boolean> =>
  database.transaction(async (query) => {
    await database.lock(query, lockName(sweep));
    const joined = query.selectFrom('stacks').select('id').where(isSweptAt(sweep));
    const result = await query
      .deleteFrom('sweeps')
      .where('id', '=', sweep.id)
      .where('epoch', '=', sweep.epoch)
      .where((row) => row.not(row.exists(joined)))
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  });

/** In order of their ids, those after `after` first; from the index alone. */
export const listSweptStacks = (
  query: Query,
  place: SweepPlace,
  { after, limit }: { after: string; limit: number },
): Promise<SweptStack[]> =>
  query
    .selectFrom('stacks')
    .where(isSweptAt(place))
    .select(['id', 'swept'])
    .$narrowType<{ swept: string }>()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/**
 * Records what the sweep saw of a stack, and makes it due: the pass looks at the cloud after that, so whatever changes later
 * differs from what is recorded. Does nothing to a stack that a pass has taken out of the sweep, or let in again.
 */
export async function wakeSwept(
  query: Query,
  { id, swept: before }: SweptStack,
  { swept, now }: { swept: string; now: number },
): Promise<void> {
  await query
    .updateTable('stacks')
    .set((row) => ({ swept, next_at: now, wakes: row('wakes', '+', 1) }))
    .where('id', '=', id)
    .where('swept', '=', before)
    .execute();
}

/** The cloud does not answer: every stack finds out itself, and shows it. */
export async function wakeAllSwept(query: Query, place: SweepPlace, now: number): Promise<void> {
  await query
    .updateTable('stacks')
    .set((row) => ({ next_at: now, wakes: row('wakes', '+', 1) }))
    // Not in a subquery: PostgreSQL would not look again at a row that it waited for, such as one that was just deleted.
    .where(isSweptAt(place))
    .execute();
}
