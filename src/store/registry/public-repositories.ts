import type { Query } from '../database/database.ts';

/** Those of the names that anybody may pull from; none of suspended accounts. */
export async function findPublicRepositories(query: Query, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await query
    .selectFrom('registry_repositories')
    .innerJoin('accounts', 'accounts.id', 'registry_repositories.account_id')
    .select('registry_repositories.name')
    .where('registry_repositories.name', 'in', names)
    .where('visibility', '=', 'public')
    .where('suspended_at', 'is', null)
    .execute();
  return new Set(rows.map(({ name }) => name));
}
