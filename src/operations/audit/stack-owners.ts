import { ownersOfStacks } from '../../store/access/audit.ts';
import type { Database, Query } from '../../store/database/database.ts';

interface Kept {
  stamp: number;
  owners: Map<string, string>;
}

const kept = new WeakMap<Database, Kept>();
const maxKept = 10_000;

/** What is known for as long as no stack changes; null where the database cannot say that. */
function knownOwners(database: Database): Kept | null {
  const stamp = database.stamp(['stacks']);
  if (stamp === null) return null;
  const known = kept.get(database);
  if (known?.stamp === stamp && known.owners.size < maxKept) return known;
  const fresh = { stamp, owners: new Map<string, string>() };
  kept.set(database, fresh);
  return fresh;
}

interface Wanted {
  accountId: string;
  stackIds: readonly string[];
}

/** The owners of stacks by their id. Many entries are about few stacks, which are read once. */
export async function findOwners(
  database: Database,
  query: Query,
  { accountId, stackIds }: Wanted,
): Promise<ReadonlyMap<string, string>> {
  const known = knownOwners(database);
  if (!known) return ownersOfStacks(query, accountId, stackIds);
  const keyOf = (id: string) => `${accountId} ${id}`;
  const unknown = stackIds.filter((id) => !known.owners.has(keyOf(id)));
  for (const [id, owner] of await ownersOfStacks(query, accountId, unknown))
    known.owners.set(keyOf(id), owner);
  return new Map(stackIds.map((id) => [id, known.owners.get(keyOf(id)) ?? '']));
}
