import type { Selectable } from 'kysely';
import type { LayerRevisionTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';
import { repeatRollout, supersedeRollouts } from './rollouts.ts';

export type LayerRevisionRow = Selectable<LayerRevisionTable>;

const secondsOf = (now: number): number => Math.floor(now / 1000);

const ofStack = prebuilt((query, { stackId }: { stackId: string }) =>
  query.selectFrom('layer_revisions').selectAll().where('stack_id', '=', stackId),
);

export const listLayerRevisions = (query: Query, stackId: string): Promise<LayerRevisionRow[]> =>
  ofStack.all(query, { stackId });

/** Unix seconds of a layer's last change; undefined for a layer without a container. */
export async function readLayerRevision(
  query: Query,
  stackId: string,
  flag: string,
): Promise<number | undefined> {
  const row = await query
    .selectFrom('layer_revisions')
    .select('updated')
    .where('stack_id', '=', stackId)
    .where('flag', '=', flag)
    .executeTakeFirst();
  return row?.updated;
}

/** One statement: two concurrent calls both increase the number. */
const raise = (query: Query, stackId: string, now: number) =>
  query
    .updateTable('layer_revisions')
    .set((set) => ({
      updated: set
        .case()
        .when('updated', '<', secondsOf(now))
        .then(secondsOf(now))
        .else(set('updated', '+', 1))
        .end(),
    }))
    .where('stack_id', '=', stackId);

interface LayerContent {
  stackId: string;
  flag: string;
  digest: string;
}

/** Returns the revision. */
export async function insertLayerRevision(query: Query, layer: LayerContent, now: number): Promise<number> {
  const { stackId, flag, digest } = layer;
  const updated = secondsOf(now);
  await query.insertInto('layer_revisions').values({ stack_id: stackId, flag, digest, updated }).execute();
  return updated;
}

/** Records the new content of a layer. Its number increases even if it changes twice within a second. */
export async function changeLayerRevision(query: Query, layer: LayerContent, now: number): Promise<number> {
  const { stackId, flag, digest } = layer;
  const row = await raise(query, stackId, now)
    .set({ digest })
    .where('flag', '=', flag)
    .returning('updated')
    .executeTakeFirstOrThrow();
  return row.updated;
}

interface Retired {
  stackId: string;
  flags: readonly string[];
  now: number;
}

/** Layers without a container have no application any more. One that comes back is deployed again. */
export async function retireLayers(query: Query, { stackId, flags, now }: Retired): Promise<void> {
  if (flags.length === 0) return;
  await query
    .updateTable('layer_revisions')
    .set({ digest: '' })
    .where('stack_id', '=', stackId)
    .where('flag', 'in', flags)
    .execute();
  await supersedeRollouts(query, { stackId, flags, now });
}

/** Makes the agents of every layer deploy again: variables that the platform passes to their containers have changed. */
export async function bumpLayers(query: Query, stackId: string, now: number): Promise<void> {
  const layers = await raise(query, stackId, now)
    .where('digest', '!=', '')
    .returning(['flag', 'updated'])
    .execute();
  for (const { flag, updated } of layers)
    await repeatRollout(query, { stackId, flag, revision: updated, now });
}
