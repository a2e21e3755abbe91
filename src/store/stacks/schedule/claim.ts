import { type Expression, type SqlBool, sql } from 'kysely';
import { isInProgress, stackStatuses } from '../../../model/status.ts';
import { prebuilt } from '../../database/built/prebuilt.ts';
import type { Database, Query } from '../../database/database.ts';
import { lazyStackFrom, type StackRow } from '../stacks.ts';

/**
 * The stack row is also the schedule: there is no queue that could lose an entry. Claiming a stack increments its epoch, and
 * every later write of the claimant carries the epoch: a worker that stalled past its lease can no longer write.
 */
export type Claim = StackRow;

/** The stacks of one credential. They share its cloud, so they wait together if it does not answer. */
export type Lane = Pick<StackRow, 'account_id' | 'vendor' | 'credential_id'>;

export interface WaitingLane extends Lane {
  /** When the stack that waits longest was due. */
  oldest: number;
  /** Stacks that are due, also those with a pass in progress. */
  due: number;
}

interface Lease {
  owner: string;
  now: number;
  until: number;
}

type Claiming = Lease & Lane & { limit: number };

const dueStacks = (query: Query, { now, limit, account_id, vendor, credential_id }: Claiming) =>
  query
    .selectFrom('stacks')
    .select('id')
    .where('account_id', '=', account_id)
    .where('vendor', '=', vendor)
    .where('credential_id', '=', credential_id)
    .where('next_at', '<=', now)
    .where('lease_until', '<', now)
    .orderBy('next_at')
    .limit(limit);

const claimOn = (isDue: (query: Query, values: Claiming) => Expression<SqlBool>) =>
  prebuilt((query, values: Claiming) =>
    query
      .updateTable('stacks')
      .set((row) => ({ lease_until: values.until, lease_owner: values.owner, epoch: row('epoch', '+', 1) }))
      .where(isDue(query, values))
      .returningAll(),
  );

/** On PostgreSQL, what others claim at this moment is passed over; as an array, it is computed once. */
const claims = {
  sqlite: claimOn((query, values) => sql<SqlBool>`id in ${dueStacks(query, values)}`),
  postgres: claimOn(
    (query, values) => sql<SqlBool>`id = any(array${dueStacks(query, values).forUpdate().skipLocked()})`,
  ),
};

/** At most so many of a lane, those that wait longest first. */
export async function claimDueStacks(
  database: Database,
  lease: Lease,
  { lane, limit }: { lane: Lane; limit: number },
): Promise<Claim[]> {
  const { account_id, vendor, credential_id } = lane;
  const claiming = { ...lease, account_id, vendor, credential_id, limit };
  const rows = await claims[database.engine].all(database.query, claiming);
  return rows.toSorted((a, b) => (a.next_at ?? 0) - (b.next_at ?? 0)).map(lazyStackFrom);
}

const waitingLanes = prebuilt((query, { now }: { now: number }) =>
  query
    .selectFrom('stacks')
    .select(({ fn }) => [
      'account_id',
      'vendor',
      'credential_id',
      fn.min('next_at').as('oldest'),
      fn.countAll().as('due'),
    ])
    .where('next_at', '<=', now)
    .groupBy(['account_id', 'vendor', 'credential_id']),
);

/** From the index alone: reading the rows to leave out those with a pass in progress would take far longer. */
export async function listWaitingLanes(query: Query, now: number): Promise<WaitingLane[]> {
  const rows = await waitingLanes.all(query, { now });
  return rows.map(({ account_id, vendor, credential_id, oldest, due }) => ({
    account_id,
    vendor,
    credential_id,
    oldest: Number(oldest),
    due: Number(due),
  }));
}

const nextDue = prebuilt((query, { now }: { now: number }) =>
  query.selectFrom('stacks').select('next_at').where('next_at', '>', now).orderBy('next_at').limit(1),
);

/** The next time when a stack becomes due; undefined: nothing is scheduled. */
export const nextDueTime = async (query: Query, now: number): Promise<number | undefined> =>
  (await nextDue.first(query, { now }))?.next_at ?? undefined;

/**
 * Says on stacks with a request in progress that nobody has looked at them for long. Only where no other reason is shown: the next pass
 * writes its own.
 */
export async function noteWaiting(
  query: Query,
  { before, reason, now }: { before: number; reason: string; now: number },
): Promise<void> {
  await query
    .updateTable('stacks')
    .set({ status_reason: reason, changed_at: now })
    .where('next_at', '<', before)
    .where('lease_until', '<', now)
    .where('status_reason', '=', '')
    .where('status', 'in', stackStatuses.filter(isInProgress))
    .execute();
}

/** How many stacks are due, and how many of them for longer than a time. */
export async function countDue(
  query: Query,
  { now, before }: { now: number; before: number },
): Promise<{ due: number; overdue: number; oldest: number | null }> {
  const row = await query
    .selectFrom('stacks')
    .select(({ fn, eb }) => [
      fn.countAll().as('due'),
      fn.sum(eb.case().when('next_at', '<', before).then(1).else(0).end()).as('overdue'),
      fn.min('next_at').as('oldest'),
    ])
    .where('next_at', '<=', now)
    .executeTakeFirstOrThrow();
  return {
    due: Number(row.due),
    overdue: Number(row.overdue ?? 0),
    oldest: row.oldest,
  };
}
