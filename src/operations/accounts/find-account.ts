import { Failure, notFound } from '../../basics/failure.ts';
import { type AccountRow, findAccount, findAccountsNamed } from '../../store/access/account-rows.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta } from '../../store/database/meta.ts';

const looksLikeId = (text: string): boolean => /^[0-9a-f]{13}$/.test(text);

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._&'()-]{0,63}$/u;

/** A name must not look like an id: every command accepts both. */
export function checkAccountName(name: string): void {
  if (namePattern.test(name) && !looksLikeId(name)) return;
  throw new Failure(
    'invalid_request',
    "The name of an account must start with a letter or digit and have at most 64 letters, digits, spaces and the characters . _ & ' ( ) -",
    { description: 'It must not have the format of an account id (13 hexadecimal digits).' },
  );
}

/** Prevents commands from creating accounts in a database that no server uses, such as one in the wrong directory. */
export async function requireStarted(query: Query): Promise<void> {
  if ((await readMeta(query, 'first_account')) !== undefined) return;
  throw new Failure('conflict', 'This database has no accounts', {
    description: 'Start the server once (almanac serve), with the same ALM_DATA and DATABASE_URL.',
  });
}

/** Finds an account that is not deleted, by id or name. */
export async function accountNamed(query: Query, idOrName: string): Promise<AccountRow> {
  await requireStarted(query);
  const account = looksLikeId(idOrName)
    ? await findAccount(query, idOrName)
    : (await findAccountsNamed(query, idOrName))[0];
  if (!account || account.deleted_at !== null)
    throw notFound('Account', idOrName, { description: 'To see the accounts, run: almanac account list' });
  return account;
}
