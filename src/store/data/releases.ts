import type { Selectable } from 'kysely';
import type { DataReleaseTable } from '../database/data-tables.ts';
import type { Query } from '../database/database.ts';

export type ReleaseRow = Selectable<DataReleaseTable>;

/** A repeated word about the same store replaces the first. */
export async function saveReleases(query: Query, rows: readonly ReleaseRow[]): Promise<void> {
  if (rows.length === 0) return;
  await query
    .insertInto('data_releases')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['store', 'intent']).doUpdateSet((set) => ({
        choice: set.ref('excluded.choice'),
        released_by: set.ref('excluded.released_by'),
        released_at: set.ref('excluded.released_at'),
      })),
    )
    .execute();
}

export const releasesOfStack = (query: Query, stackId: string): Promise<ReleaseRow[]> =>
  query.selectFrom('data_releases').selectAll().where('stack_id', '=', stackId).execute();

/** What a caller allowed is for the first attempt to reach a version, not for a later return to it. */
export const dropReleases = async (query: Query, stackId: string, intent: string): Promise<void> => {
  await query
    .deleteFrom('data_releases')
    .where('stack_id', '=', stackId)
    .where('intent', '=', intent)
    .execute();
};
