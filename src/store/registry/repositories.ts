import { type Selectable, sql } from 'kysely';
import type { Query } from '../database/database.ts';
import type { RegistryRepositoryTable } from '../database/registry-tables.ts';

export type RepositoryRow = Selectable<RegistryRepositoryTable>;

export const findRepository = (query: Query, name: string): Promise<RepositoryRow | undefined> =>
  query.selectFrom('registry_repositories').selectAll().where('name', '=', name).executeTakeFirst();

/** One of the account's repositories below a namespace. */
export const findRepositoryBelow = (
  query: Query,
  accountId: string,
  namespace: string,
): Promise<Pick<RepositoryRow, 'name'> | undefined> =>
  query
    .selectFrom('registry_repositories')
    .select('name')
    .where('account_id', '=', accountId)
    .where(sql<string>`substr(name, 1, ${sql.lit(namespace.length + 1)})`, '=', `${namespace}/`)
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();

export interface RepositoryPage {
  /** Continue after this name. */
  after?: string | undefined;
  limit: number;
}

/** By name. */
export const listRepositories = (
  query: Query,
  accountId: string,
  { after = '', limit }: RepositoryPage,
): Promise<RepositoryRow[]> =>
  query
    .selectFrom('registry_repositories')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();

export interface KnownRepository {
  name: string;
  accountId: string;
  now: number;
}

/** A repository that is not known yet is private. */
export async function saveRepository(query: Query, { name, accountId, now }: KnownRepository): Promise<void> {
  await query
    .insertInto('registry_repositories')
    .values({
      name,
      account_id: accountId,
      description: '',
      visibility: 'private',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function changeRepository(
  query: Query,
  name: string,
  change: Partial<Pick<RepositoryRow, 'description' | 'visibility'>> & { updated_at: number },
): Promise<void> {
  await query.updateTable('registry_repositories').set(change).where('name', '=', name).execute();
}

/** With its images. A repository of the same name is private again. */
export async function deleteRepository(query: Query, name: string): Promise<void> {
  await query.deleteFrom('registry_images').where('repository', '=', name).execute();
  await query.deleteFrom('registry_repositories').where('name', '=', name).execute();
}

/** Keeps a repository without tags only if it has a description or is public. */
export async function deleteRepositoryIfEmpty(query: Query, name: string): Promise<void> {
  const images = query.selectFrom('registry_images').select('tag').where('repository', '=', name);
  await query
    .deleteFrom('registry_repositories')
    .where('name', '=', name)
    .where('description', '=', '')
    .where('visibility', '=', 'private')
    .where((where) => where.not(where.exists(images)))
    .execute();
}

/** Of all accounts. */
export const listAllRepositories = (query: Query): Promise<Pick<RepositoryRow, 'name'>[]> =>
  query.selectFrom('registry_repositories').select('name').orderBy('name').execute();
