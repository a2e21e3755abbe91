import type { Query } from '../database.ts';

export interface SealedAccountSecret {
  place: 'account secret';
  accountId: string;
  name: string;
  sealed: string;
}

export async function findAccountSecrets(
  query: Query,
  current: string,
  limit: number,
): Promise<SealedAccountSecret[]> {
  const rows = await query
    .selectFrom('account_secrets')
    .select(['account_id', 'name', 'sealed_value'])
    .where('sealed_value', 'not like', `${current}%`)
    .limit(limit)
    .execute();
  return rows.map(({ account_id: accountId, name, sealed_value: sealed }) => ({
    place: 'account secret',
    accountId,
    name,
    sealed,
  }));
}

export async function replaceAccountSecret(
  query: Query,
  old: SealedAccountSecret,
  sealed: string,
): Promise<void> {
  await query
    .updateTable('account_secrets')
    .set({ sealed_value: sealed })
    .where('account_id', '=', old.accountId)
    .where('name', '=', old.name)
    .where('sealed_value', '=', old.sealed)
    .execute();
}
