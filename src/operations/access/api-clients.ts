import { Secret } from '../../basics/secret.ts';
import { type ClientKind, defaultClientKind } from '../../model/client-kinds.ts';
import { newClientId, newClientSecret } from '../../model/names.ts';
import { deleteAccessTokensOf, insertApiClient } from '../../store/access/accounts.ts';
import { changeClientSecret, deleteApiClient, listApiClients } from '../../store/access/api-clients.ts';
import { listClientRoles } from '../../store/access/client-roles.ts';
import { listClientUsers } from '../../store/access/client-users.ts';
import type { Service } from '../service.ts';
import { changeAccess } from './access-lock.ts';
import type { Actor } from './actor.ts';
import { ownClient } from './client-rights.ts';
import { shownRoleId } from './default-role.ts';
import { hashGenerated } from './secret-hash.ts';
import { warningAbout } from './shared-owners.ts';

export interface ListedClient {
  id: string;
  label: string;
  createdAt: number;
  kind: ClientKind;
  roleIds: string[];
  /** Names of the users who signed in through it. */
  users: string[];
  /** Null: nothing to warn about. */
  warning: string | null;
}

export interface NewClient {
  label: string;
  kind?: ClientKind | undefined;
}

/** The only time the secret is known; the store has its digest. */
export interface ClientWithSecret {
  id: string;
  secret: Secret;
  kind: ClientKind;
}

export async function describeClients(service: Service, { accountId }: Actor): Promise<ListedClient[]> {
  const { query } = service.database;
  const roles = await listClientRoles(query, accountId);
  const signedIn = await listClientUsers(query, accountId);
  return (await listApiClients(query, accountId)).map(({ id, label, created_at: createdAt, kind }) => {
    const users = signedIn
      .filter(({ client_id }) => client_id === id)
      .map(({ username, master }) => ({ username, master: master === 1 }));
    return {
      id,
      label,
      createdAt,
      kind,
      roleIds: roles
        .filter(({ client_id }) => client_id === id)
        .map(({ role_id }) => shownRoleId(accountId, role_id)),
      users: users.map(({ username }) => username),
      warning: warningAbout(kind, users),
    };
  });
}

export async function createClient(
  service: Service,
  { accountId }: Actor,
  { label, kind = defaultClientKind }: NewClient,
): Promise<ClientWithSecret> {
  const id = newClientId(accountId);
  const secret = new Secret(newClientSecret());
  const secret_hash = hashGenerated(secret.reveal());
  const created_at = service.clock.now();
  await insertApiClient(service.database.query, {
    id,
    account_id: accountId,
    secret_hash,
    created_at,
    label,
    kind,
  });
  return { id, secret, kind };
}

export async function removeClient(service: Service, { accountId }: Actor, id: string): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    await deleteApiClient(query, await ownClient(query, accountId, id));
  });
}

/** Users who signed in through the client stay signed in: they also know a password. */
export async function rotateClient(
  service: Service,
  { accountId }: Actor,
  id: string,
): Promise<ClientWithSecret> {
  const secret = new Secret(newClientSecret());
  const { kind } = await changeAccess(service, accountId, async (query) => {
    const client = await ownClient(query, accountId, id);
    await changeClientSecret(query, id, hashGenerated(secret.reveal()));
    await deleteAccessTokensOf(query, id);
    return client;
  });
  return { id, secret, kind };
}
