import type { Selectable } from 'kysely';
import type { RolloutTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

export type RolloutRow = Selectable<RolloutTable>;

type Begun = Pick<
  RolloutRow,
  'stack_id' | 'flag' | 'revision' | 'version_id' | 'image' | 'began_at' | 'stays'
>;

/** A newer revision of the same layer takes over. */
export async function beginRollout(query: Query, begun: Begun): Promise<void> {
  await query
    .updateTable('rollouts')
    .set({ state: 'superseded', ended_at: begun.began_at })
    .where('stack_id', '=', begun.stack_id)
    .where('flag', '=', begun.flag)
    .where('ended_at', 'is', null)
    .execute();
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
    .where('rollouts.stack_id', '=', stackId),
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
