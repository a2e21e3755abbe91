import type { Selectable } from 'kysely';
import type { SignInCodeTable } from '../database/access-tables.ts';
import type { Query } from '../database/database.ts';

type SignInCodeRow = Selectable<SignInCodeTable>;

/** Also deletes expired ones. */
export async function insertSignInCode(query: Query, row: SignInCodeRow, now: number): Promise<void> {
  await query.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
  await query.insertInto('sign_in_codes').values(row).execute();
}

/** Reads and deletes in one statement: of several requests with the same code, one gets the row. */
export const takeSignInCode = (query: Query, hash: string): Promise<SignInCodeRow | undefined> =>
  query.deleteFrom('sign_in_codes').where('hash', '=', hash).returningAll().executeTakeFirst();

export const deleteSignInCodesOf = async (query: Query, userId: string): Promise<void> => {
  await query.deleteFrom('sign_in_codes').where('user_id', '=', userId).execute();
};

/** Those of all users of an account. */
export async function deleteSignInCodesOfAccount(query: Query, accountId: string): Promise<void> {
  await query
    .deleteFrom('sign_in_codes')
    .where('user_id', 'in', (select) =>
      select.selectFrom('users').select('id').where('account_id', '=', accountId),
    )
    .execute();
}
