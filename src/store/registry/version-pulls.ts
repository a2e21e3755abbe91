import type { Query } from '../database/database.ts';

/** Repositories of the registry that agents may pull from because of a version: the user who submitted it may pull from them. */
export async function insertVersionPulls(
  query: Query,
  versionId: string,
  repositories: readonly string[],
): Promise<void> {
  if (repositories.length === 0) return;
  const rows = repositories.map((repository) => ({ version_id: versionId, repository }));
  await query
    .insertInto('version_pulls')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function readVersionPulls(query: Query, versionIds: readonly string[]): Promise<Set<string>> {
  const rows = await query
    .selectFrom('version_pulls')
    .select('repository')
    .where('version_id', 'in', versionIds)
    .execute();
  return new Set(rows.map(({ repository }) => repository));
}
