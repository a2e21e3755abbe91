import type { Selectable } from 'kysely';
import type { LayerRevisionTable } from '../database/application-tables.ts';
import { prebuilt } from '../database/built/prebuilt.ts';
import type { Query } from '../database/database.ts';

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

export async function insertLayerRevision(query: Query, layer: LayerContent, now: number): Promise<void> {
  const { stackId, flag, digest } = layer;
  const row = { stack_id: stackId, flag, digest, updated: secondsOf(now) };
  await query.insertInto('layer_revisions').values(row).execute();
}

/** Records the new content of a layer. Its number increases even if it changes twice within a second. */
export async function changeLayerRevision(query: Query, layer: LayerContent, now: number): Promise<void> {
  const { stackId, flag, digest } = layer;
  await raise(query, stackId, now).set({ digest }).where('flag', '=', flag).execute();
}

/** Makes the agents of every layer deploy again: variables that the platform passes to their containers have changed. */
export const bumpLayers = async (query: Query, stackId: string, now: number): Promise<void> => {
  await raise(query, stackId, now).execute();
};
