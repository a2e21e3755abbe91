import type { Selectable } from 'kysely';
import type { Query } from '../database/database.ts';
import type { LayerRevisionTable } from '../database/tables.ts';

export type LayerRevisionRow = Selectable<LayerRevisionTable>;

const secondsOf = (now: number): number => Math.floor(now / 1000);

export const listLayerRevisions = (query: Query, stackId: string): Promise<LayerRevisionRow[]> =>
  query.selectFrom('layer_revisions').selectAll().where('stack_id', '=', stackId).execute();

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

/** One statement, so that two who raise a number at once both raise it. */
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

/** Notes a layer's new content. Its number rises even when it changes twice within a second. */
export async function changeLayerRevision(query: Query, layer: LayerContent, now: number): Promise<void> {
  const { stackId, flag, digest } = layer;
  await raise(query, stackId, now).set({ digest }).where('flag', '=', flag).execute();
}

/** Makes every layer's agents deploy anew: what the platform tells their containers has changed. */
export const bumpLayers = async (query: Query, stackId: string, now: number): Promise<void> => {
  await raise(query, stackId, now).execute();
};
