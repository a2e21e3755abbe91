import type { Selectable } from 'kysely';
import type { RolloutTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

export type RolloutRow = Selectable<RolloutTable>;

type Begun = Pick<
  RolloutRow,
  'stack_id' | 'flag' | 'revision' | 'version_id' | 'image' | 'began_at' | 'stays' | 'cause'
>;

interface Superseded {
  stackId: string;
  flags: readonly string[];
  now: number;
}

/** Another revision takes over, or none. What has ended stays as it ended. */
export async function supersedeRollouts(query: Query, { stackId, flags, now }: Superseded): Promise<void> {
  await query
    .updateTable('rollouts')
    .set({ state: 'superseded', ended_at: now })
    .where('stack_id', '=', stackId)
    .where('flag', 'in', flags)
    .where('ended_at', 'is', null)
    .execute();
}

/** Of each layer. */
const keptRollouts = 100;

export async function beginRollout(query: Query, begun: Begun): Promise<void> {
  const { stack_id: stackId, flag, revision, began_at: now } = begun;
  await supersedeRollouts(query, { stackId, flags: [flag], now });
  const open = {
    deadline_at: null,
    ended_at: null,
    wanted: 0,
    serving: 0,
    failing: 0,
    reason: '',
    last_lines: '',
  };
  await query
    .insertInto('rollouts')
    .values({ ...begun, ...open, state: 'rolling' })
    .execute();
  await query
    .deleteFrom('rollouts')
    .where('stack_id', '=', stackId)
    .where('flag', '=', flag)
    .where('revision', '<', (select) =>
      select
        .selectFrom('rollouts as newer')
        .select('newer.revision')
        .where('newer.stack_id', '=', stackId)
        .where('newer.flag', '=', flag)
        .where('newer.revision', '<=', revision)
        .orderBy('newer.revision', 'desc')
        .offset(keptRollouts - 1)
        .limit(1),
    )
    .execute();
}

/** The version before is in place again. */
export async function markReturned(
  query: Query,
  { stackId, versionId, now }: { stackId: string; versionId: string; now: number },
): Promise<void> {
  await query
    .updateTable('rollouts')
    .set({ state: 'returned', ended_at: now })
    .where('stack_id', '=', stackId)
    .where('version_id', '=', versionId)
    .where('state', '=', 'failing')
    .execute();
}

interface Repeated {
  stackId: string;
  flag: string;
  revision: number;
  now: number;
}

/** The same version gets to the instances again, with a new revision. */
export async function repeatRollout(query: Query, { stackId, flag, revision, now }: Repeated): Promise<void> {
  const [last] = await listRollouts(query, { stackId, flag, limit: 1 });
  if (!last) return;
  const { version_id, image, stays } = last;
  await beginRollout(query, {
    stack_id: stackId,
    flag,
    revision,
    version_id,
    image,
    stays,
    began_at: now,
    cause: '',
  });
}

const current = prebuilt((query, { stackId }: { stackId: string }) =>
  query
    .selectFrom('rollouts')
    .innerJoin('layer_revisions', (join) =>
      join
        .onRef('layer_revisions.stack_id', '=', 'rollouts.stack_id')
        .onRef('layer_revisions.flag', '=', 'rollouts.flag')
        .onRef('layer_revisions.updated', '=', 'rollouts.revision'),
    )
    .selectAll('rollouts')
    .where('rollouts.stack_id', '=', stackId)
    .where('layer_revisions.digest', '!=', ''),
);

/** The rollout of the current revision of each layer. */
export const currentRollouts = (query: Query, stackId: string): Promise<RolloutRow[]> =>
  current.all(query, { stackId });

interface RolloutFilter {
  stackId: string;
  flag?: string | undefined;
  versionId?: string | undefined;
  limit: number;
}

/** The newest first. */
export const listRollouts = (
  query: Query,
  { stackId, flag, versionId, limit }: RolloutFilter,
): Promise<RolloutRow[]> =>
  query
    .selectFrom('rollouts')
    .selectAll()
    .where('stack_id', '=', stackId)
    .$if(flag !== undefined, (q) => q.where('flag', '=', flag as string))
    .$if(versionId !== undefined, (q) => q.where('version_id', '=', versionId as string))
    .orderBy('revision', 'desc')
    .orderBy('flag')
    .limit(limit)
    .execute();

/** Whether the containers of a version served, as far as anybody said so. A version without new containers did. */
export async function hasServed(query: Query, stackId: string, versionId: string): Promise<boolean> {
  const unserved = await query
    .selectFrom('rollouts')
    .select('revision')
    .where('stack_id', '=', stackId)
    .where('version_id', '=', versionId)
    .where('state', 'not in', ['serving', 'unknown'])
    .executeTakeFirst();
  return unserved === undefined;
}

/** Whether the vendor was ever done with a version that has containers, also if these never served: its servers may be in use. */
export async function wasVendorDone(query: Query, stackId: string): Promise<boolean> {
  const done = await query
    .selectFrom('rollouts')
    .select('revision')
    .where('stack_id', '=', stackId)
    .where('deadline_at', 'is not', null)
    .executeTakeFirst();
  return done !== undefined;
}

/** Those that ended after a time, the earliest first. */
export const listEndedRollouts = (query: Query, after: number): Promise<RolloutRow[]> =>
  query
    .selectFrom('rollouts')
    .selectAll()
    .where('ended_at', '>', after)
    .orderBy('ended_at')
    .limit(10_000)
    .execute();

export async function saveRollout(query: Query, row: RolloutRow): Promise<void> {
  const { stack_id, flag, revision, ...rest } = row;
  await query
    .updateTable('rollouts')
    .set(rest)
    .where('stack_id', '=', stack_id)
    .where('flag', '=', flag)
    .where('revision', '=', revision)
    .execute();
}
