import { registryClientId } from '../../../model/client-kinds.ts';
import type { UserRow } from '../../../store/access/accounts.ts';
import type { Query } from '../../../store/database/database.ts';
import type { Actor } from '../../access/access.ts';
import { rolesOfUser } from '../../access/permission.ts';

/** A user who proved the password, or has a refresh token. */
export async function userActor(query: Query, user: UserRow): Promise<Actor> {
  const { id: userId, account_id: accountId, username } = user;
  const master = user.master === 1;
  return {
    kind: 'user',
    accountId,
    clientId: registryClientId,
    clientKind: 'sign-in',
    userId,
    username,
    master,
    roles: master ? [] : await rolesOfUser(query, accountId, userId),
  };
}
