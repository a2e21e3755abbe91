import { findUserByLogin, findUsersByLogin } from '../../store/access/accounts.ts';
import type { Query } from '../../store/database/database.ts';
import type { NamedUser } from './check-password.ts';

/** Counts failed attempts with names that belong to no user, or to several. */
const noAccount = 'no account';

/** Tells users of a login without an account how to name theirs. */
export const ambiguousLoginHint = 'If several accounts have a user with this name, use <account id>.<name>.';

/** For logins that name no account: the name must exist in one account only, or start with the account's id. */
export async function findLogin(query: Query, username: string): Promise<NamedUser> {
  const [, accountId, name] = /^([0-9a-f]{13})\.(.+)$/.exec(username) ?? [];
  const found =
    accountId !== undefined && name !== undefined
      ? [await findUserByLogin(query, accountId, name)]
      : await findUsersByLogin(query, username, 2);
  const user = found.length === 1 ? found[0] : undefined;
  return { accountId: user?.account_id ?? noAccount, user, username };
}
