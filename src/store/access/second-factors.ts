import type { Selectable } from 'kysely';
import type { SecondFactorTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

export type SecondFactorRow = Selectable<SecondFactorTable>;

export const findSecondFactor = (query: Query, userId: string): Promise<SecondFactorRow | undefined> =>
  query.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();

export const insertSecondFactor = async (query: Query, factor: SecondFactorRow): Promise<void> => {
  await query.insertInto('second_factors').values(factor).execute();
};

/** Accepts each time step once, on all servers together. False: this step or a later one was used before. */
export async function useStep(query: Query, userId: string, step: number): Promise<boolean> {
  const result = await query
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** False: the secret whose code was checked has been replaced, removed or confirmed since. */
export async function confirmSecondFactor(
  query: Query,
  { user_id, sealed_secret }: SecondFactorRow,
  now: number,
): Promise<boolean> {
  const result = await query
    .updateTable('second_factors')
    .set({ confirmed_at: now })
    .where('user_id', '=', user_id)
    .where('sealed_secret', '=', sealed_secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Also deletes the recovery codes. False: the user has none. */
export async function deleteSecondFactor(query: Query, userId: string): Promise<boolean> {
  await query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const result = await query.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const insertRecoveryCodes = async (
  query: Query,
  userId: string,
  hashes: readonly string[],
): Promise<void> => {
  await query
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
};

/** False: the user has no such code, or it was used. */
export async function useRecoveryCode(query: Query, userId: string, hash: string): Promise<boolean> {
  const result = await query
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const countRecoveryCodes = async (query: Query, userId: string): Promise<number> => {
  const row = await query
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
};
