import type { Selectable } from 'kysely';
import type { AccountSecretTable } from '../database/application-tables.ts';
import type { Query } from '../database/database.ts';
import type { StackRow } from '../stacks/stacks.ts';

export type AccountSecretRow = Selectable<AccountSecretTable>;
/** A secret without its value: lists of many must not take the memory of all values. */
export type SecretFacts = Omit<AccountSecretRow, 'sealed_value'>;

const facts = [
  'account_id',
  'name',
  'revision',
  'given_revision',
  'created_by',
  'updated_by',
  'updated_at',
] as const satisfies readonly (keyof SecretFacts)[];

export interface SecretKey {
  accountId: string;
  name: string;
}

export const findSecret = (
  query: Query,
  { accountId, name }: SecretKey,
): Promise<AccountSecretRow | undefined> =>
  query
    .selectFrom('account_secrets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst();

/** By name. */
export const listSecrets = (query: Query, accountId: string): Promise<SecretFacts[]> =>
  query
    .selectFrom('account_secrets')
    .select(facts)
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();

/** Those of the names that exist. */
export const findSecrets = async (
  query: Query,
  accountId: string,
  names: readonly string[],
): Promise<SecretFacts[]> =>
  names.length === 0
    ? []
    : query
        .selectFrom('account_secrets')
        .select(facts)
        .where('account_id', '=', accountId)
        .where('name', 'in', names)
        .execute();

/** The sealed values of those that exist, by name. */
export async function readSealedSecrets(
  query: Query,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await query
    .selectFrom('account_secrets')
    .select(['name', 'sealed_value'])
    .where('account_id', '=', accountId)
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ name, sealed_value: sealed }) => [name, sealed]));
}

/** What a deleted user made passes to another, so that a later user of the same name does not own it. */
export async function transferSecrets(
  query: Query,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await query
    .updateTable('account_secrets')
    .set({ created_by: to })
    .where('account_id', '=', accountId)
    .where('created_by', '=', from)
    .execute();
}

export async function saveSecret(query: Query, row: AccountSecretRow): Promise<void> {
  const { account_id: _, name: __, created_by: ___, ...changed } = row;
  await query
    .insertInto('account_secrets')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doUpdateSet(changed))
    .execute();
}

export async function deleteSecret(query: Query, { accountId, name }: SecretKey): Promise<void> {
  await query
    .deleteFrom('account_secrets')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .execute();
}

/** Every layer that uses this revision was revised. A newer revision still has to be given. */
export async function markGiven(
  query: Query,
  { account_id: accountId, name, revision }: SecretFacts,
): Promise<void> {
  await query
    .updateTable('account_secrets')
    .set({ given_revision: revision })
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('given_revision', '<', revision)
    // One that was deleted and made again starts with a lower revision.
    .where('revision', '>=', revision)
    .execute();
}

/** Secrets with a value that some layers may not have been revised for. */
export const listUngivenSecrets = (query: Query): Promise<SecretFacts[]> =>
  query
    .selectFrom('account_secrets')
    .select(facts)
    .whereRef('given_revision', '<', 'revision')
    .orderBy('updated_at')
    .limit(100)
    .execute();

export async function insertSecretUses(
  query: Query,
  versionId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await query
    .insertInto('secret_uses')
    .values(names.map((name) => ({ version_id: versionId, name })))
    .execute();
}

export async function readSecretUses(query: Query, versionId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('secret_uses')
    .select('name')
    .where('version_id', '=', versionId)
    .execute();
  return rows.map(({ name }) => name);
}

const usingStacks = (query: Query, accountId: string) =>
  query
    .selectFrom('stacks')
    .where('stacks.account_id', '=', accountId)
    .where('stacks.deleted_at', 'is', null);

/** Stacks whose desired version uses the secret, the oldest first. */
export async function listStacksGiven(query: Query, { accountId, name }: SecretKey): Promise<string[]> {
  const rows = await usingStacks(query, accountId)
    .innerJoin('secret_uses', 'secret_uses.version_id', 'stacks.desired_version')
    .where('secret_uses.name', '=', name)
    .select('stacks.id')
    .orderBy('stacks.created_at')
    .orderBy('stacks.id')
    .execute();
  return rows.map(({ id }) => id);
}

type StackUsing = Pick<StackRow, 'id' | 'nickname' | 'created_by' | 'vendor' | 'credential_id'> & {
  secret: string;
};

/** The stacks that use secrets of the account, also those that would use one again after a failed update. */
export const listSecretUsers = (query: Query, accountId: string): Promise<StackUsing[]> =>
  usingStacks(query, accountId)
    .innerJoin('secret_uses', (join) =>
      join.on((on) =>
        on.or([
          on('secret_uses.version_id', '=', on.ref('stacks.desired_version')),
          on('secret_uses.version_id', '=', on.ref('stacks.settled_version')),
        ]),
      ),
    )
    .select([
      'stacks.id',
      'stacks.nickname',
      'stacks.created_by',
      'stacks.vendor',
      'stacks.credential_id',
      'secret_uses.name as secret',
    ])
    .distinct()
    .orderBy('stacks.id')
    .execute();
