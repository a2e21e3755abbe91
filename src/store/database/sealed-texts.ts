import type { Query } from './database.ts';
import {
  findAccountSecrets,
  replaceAccountSecret,
  type SealedAccountSecret,
} from './sealed/account-secrets.ts';

/** A sealed text and its place. A new place needs a new entry in `places` below. */
export type SealedText =
  | { place: 'auth token'; stackId: string; sealed: string }
  | { place: 'credential'; accountId: string; vendor: string; id: string; sealed: string }
  | { place: 'version secret'; stackId: string; versionId: string; name: string; sealed: string }
  | { place: 'second factor'; userId: string; sealed: string }
  | { place: 'stack key'; stackId: string; flag: string; sealed: string }
  | { place: 'deploy hook'; id: string; sealed: string }
  | SealedAccountSecret
  | { place: 'registry key'; id: string; sealed: string }
  | { place: 'meta'; key: SealedMeta; sealed: string };

const sealedMeta = ['key_check', 'registry_http_secret'] as const;
type SealedMeta = (typeof sealedMeta)[number];

type Find = (query: Query, current: string, limit: number) => Promise<SealedText[]>;

const findAuthTokens: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('stacks')
    .select(['id', 'sealed_auth_token'])
    .where('sealed_auth_token', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: 'auth token', stackId: row.id, sealed: row.sealed_auth_token }));
};

const findCredentials: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('credentials')
    .select(['account_id', 'vendor', 'id', 'sealed_secret'])
    .where('sealed_secret', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map(({ account_id: accountId, vendor, id, sealed_secret: sealed }) => ({
    place: 'credential',
    accountId,
    vendor,
    id,
    sealed,
  }));
};

const findVersionSecrets: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('version_secrets')
    .innerJoin('versions', 'versions.id', 'version_secrets.version_id')
    .select(['versions.stack_id', 'version_secrets.version_id', 'name', 'sealed'])
    .where('sealed', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map(({ stack_id: stackId, version_id: versionId, name, sealed }) => ({
    place: 'version secret',
    stackId,
    versionId,
    name,
    sealed,
  }));
};

const findStackKeys: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('stack_keys')
    .select(['stack_id', 'flag', 'sealed_key'])
    .where('sealed_key', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map(({ stack_id: stackId, flag, sealed_key: sealed }) => ({
    place: 'stack key',
    stackId,
    flag,
    sealed,
  }));
};

const findSecondFactors: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('second_factors')
    .select(['user_id', 'sealed_secret'])
    .where('sealed_secret', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: 'second factor', userId: row.user_id, sealed: row.sealed_secret }));
};

const findRegistryKeys: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('registry_keys')
    .select(['id', 'sealed_key'])
    .where('sealed_key', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: 'registry key', id: row.id, sealed: row.sealed_key }));
};

const findDeployHooks: Find = async (query, current, limit) => {
  const rows = await query
    .selectFrom('deploy_hooks')
    .select(['id', 'sealed_secret'])
    .where('sealed_secret', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map((row) => ({ place: 'deploy hook', id: row.id, sealed: row.sealed_secret }));
};

const findMeta: Find = async (query, current) => {
  const rows = await query
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', sealedMeta)
    .where('value', 'not like', `${current}%`)
    .execute();
  return rows.map(({ key, value }) => ({ place: 'meta', key: key as SealedMeta, sealed: value }));
};

const places: readonly Find[] = [
  findAuthTokens,
  findCredentials,
  findVersionSecrets,
  findStackKeys,
  findSecondFactors,
  findRegistryKeys,
  findDeployHooks,
  findAccountSecrets,
  findMeta,
];

/** Some of the texts that are not sealed with the current key, recognized by their prefix; empty: none left. */
export async function findOutdatedSeals(query: Query, current: string, limit: number): Promise<SealedText[]> {
  for (const find of places) {
    const found = await find(query, current, limit);
    if (found.length > 0) return found;
  }
  return [];
}

type SealedAt<Place extends SealedText['place']> = Extract<SealedText, { place: Place }>;

async function replaceVersionSecret(
  query: Query,
  old: SealedAt<'version secret'>,
  sealed: string,
): Promise<void> {
  await query
    .updateTable('version_secrets')
    .set({ sealed })
    .where('version_id', '=', old.versionId)
    .where('name', '=', old.name)
    .where('sealed', '=', old.sealed)
    .execute();
}

async function replaceStackKey(query: Query, old: SealedAt<'stack key'>, sealed: string): Promise<void> {
  await query
    .updateTable('stack_keys')
    .set({ sealed_key: sealed })
    .where('stack_id', '=', old.stackId)
    .where('flag', '=', old.flag)
    .where('sealed_key', '=', old.sealed)
    .execute();
}

async function replaceSecondFactor(
  query: Query,
  old: SealedAt<'second factor'>,
  sealed: string,
): Promise<void> {
  await query
    .updateTable('second_factors')
    .set({ sealed_secret: sealed })
    .where('user_id', '=', old.userId)
    .where('sealed_secret', '=', old.sealed)
    .execute();
}

async function replaceRegistryKey(
  query: Query,
  old: SealedAt<'registry key'>,
  sealed: string,
): Promise<void> {
  await query
    .updateTable('registry_keys')
    .set({ sealed_key: sealed })
    .where('id', '=', old.id)
    .where('sealed_key', '=', old.sealed)
    .execute();
}

async function replaceDeployHook(query: Query, old: SealedAt<'deploy hook'>, sealed: string): Promise<void> {
  await query
    .updateTable('deploy_hooks')
    .set({ sealed_secret: sealed })
    .where('id', '=', old.id)
    .where('sealed_secret', '=', old.sealed)
    .execute();
}

async function replaceMeta(query: Query, old: SealedAt<'meta'>, sealed: string): Promise<void> {
  await query
    .updateTable('meta')
    .set({ value: sealed })
    .where('key', '=', old.key)
    .where('value', '=', old.sealed)
    .execute();
}

/** Replaces the text only if it is unchanged since it was read. */
export async function replaceSealedText(query: Query, old: SealedText, sealed: string): Promise<void> {
  switch (old.place) {
    case 'auth token':
      await query
        .updateTable('stacks')
        .set({ sealed_auth_token: sealed })
        .where('id', '=', old.stackId)
        .where('sealed_auth_token', '=', old.sealed)
        .execute();
      return;
    case 'credential':
      await query
        .updateTable('credentials')
        .set({ sealed_secret: sealed })
        .where('account_id', '=', old.accountId)
        .where('vendor', '=', old.vendor)
        .where('id', '=', old.id)
        .where('sealed_secret', '=', old.sealed)
        .execute();
      return;
    case 'version secret':
      return replaceVersionSecret(query, old, sealed);
    case 'stack key':
      return replaceStackKey(query, old, sealed);
    case 'second factor':
      return replaceSecondFactor(query, old, sealed);
    case 'registry key':
      return replaceRegistryKey(query, old, sealed);
    case 'deploy hook':
      return replaceDeployHook(query, old, sealed);
    case 'account secret':
      return replaceAccountSecret(query, old, sealed);
    case 'meta':
      return replaceMeta(query, old, sealed);
  }
}
