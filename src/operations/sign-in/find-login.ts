import { findUserByLogin, findUsersByLogin, type UserRow } from '../../store/access/accounts.ts';
import type { Query } from '../../store/database/database.ts';
import { readMeta } from '../../store/database/meta.ts';
import type { NamedUser } from './check-password.ts';

/** Counts failed attempts with names that belong to no user, or to several. */
const noAccount = 'no account';

/** Tells users of a login without an account how to name theirs. */
export const ambiguousLoginHint = 'If several accounts have a user with this name, use <account id>.<name>.';

/** The user of the first account, because a new account must not lock out users who sign in already; else the only one. */
async function findByNameAlone(query: Query, name: string): Promise<UserRow | undefined> {
  const firstAccount = (await readMeta(query, 'first_account')) ?? '';
  const first = await findUserByLogin(query, firstAccount, name);
  if (first) return first;
  const [only, another] = await findUsersByLogin(query, name, 2);
  return another ? undefined : only;
}

/** For logins through no client of an account: the name may start with the account's id. */
export async function findLogin(query: Query, username: string): Promise<NamedUser> {
  const [, accountId, name] = /^([0-9a-f]{13})\.(.+)$/.exec(username) ?? [];
  const user =
    accountId !== undefined && name !== undefined
      ? await findUserByLogin(query, accountId, name)
      : await findByNameAlone(query, username);
  return { accountId: user?.account_id ?? noAccount, user, username };
}
