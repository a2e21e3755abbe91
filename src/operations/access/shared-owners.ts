import type { ClientKind } from '../../model/client-kinds.ts';
import { listUsersOfOwnerClients } from '../../store/access/client-users.ts';
import type { Query } from '../../store/database/database.ts';

/** Users who sign in through a client know its secret, and the secret of an owner client is worth as much as the account. */
const sharedOwnerWarning = (names: readonly string[]): string =>
  `Users other than the master sign in through this owner client, and its secret gives them the rights of the account owner on v2: ${names.join(', ')}. ` +
  'Let them sign in without a client (alm login), then rotate the secret or change the kind to sign-in.';

interface ClientUser {
  username: string;
  master: boolean;
}

/** Null: nothing to warn about. */
export function warningAbout(kind: ClientKind, users: readonly ClientUser[]): string | null {
  const others = users.filter(({ master }) => !master).map(({ username }) => username);
  return kind === 'owner' && others.length > 0 ? sharedOwnerWarning(others) : null;
}

interface SharedOwner {
  clientId: string;
  accountId: string;
  warning: string;
}

/** Of all accounts, for the server log. */
export async function findSharedOwners(query: Query): Promise<SharedOwner[]> {
  const rows = await listUsersOfOwnerClients(query);
  const ids = [...new Set(rows.map(({ client_id }) => client_id))];
  return ids.flatMap((clientId) => {
    const ofClient = rows.filter(({ client_id }) => client_id === clientId);
    const warning = warningAbout(
      'owner',
      ofClient.map(({ username, master }) => ({ username, master: master === 1 })),
    );
    const accountId = ofClient[0]?.account_id ?? '';
    return warning === null ? [] : [{ clientId, accountId, warning }];
  });
}
