import type { Query } from '../database/database.ts';
import { inParts } from '../database/in-parts.ts';

/** Deletes the oldest versions of a stack, with their secrets, until `kept` are left. Protected ones stay in any case. */
export async function pruneVersions(
  query: Query,
  stackId: string,
  { kept, isProtected }: { kept: number; isProtected: (versionId: string, index: number) => boolean },
): Promise<void> {
  const rows = await query
    .selectFrom('versions')
    .select('id')
    .where('stack_id', '=', stackId)
    .orderBy('number')
    .execute();
  const candidates = rows.map(({ id }) => id).filter((id, index) => !isProtected(id, index));
  for (const ids of inParts(candidates.slice(0, Math.max(0, rows.length - kept)))) {
    for (const table of ['version_secrets', 'secret_uses', 'version_submitters', 'version_pulls'] as const)
      await query.deleteFrom(table).where('version_id', 'in', ids).execute();
    await query.deleteFrom('versions').where('id', 'in', ids).execute();
  }
}

/** The versions of a stack from one on, oldest first; null: all that are stored. */
export async function versionIdsFrom(query: Query, stackId: string, first: string | null): Promise<string[]> {
  const rows = await query
    .selectFrom('versions')
    .select('id')
    .where('stack_id', '=', stackId)
    .orderBy('number')
    .execute();
  const ids = rows.map(({ id }) => id);
  return first === null ? ids : ids.slice(Math.max(0, ids.indexOf(first)));
}
