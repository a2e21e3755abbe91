import { Failure, notFound } from '../../basics/failure.ts';
import { Secret } from '../../basics/secret.ts';
import { newClientId, newClientSecret } from '../../model/names.ts';
import {
  type ApiClientRow,
  deleteAccessTokensOf,
  findApiClient,
  insertApiClient,
} from '../../store/access/accounts.ts';
import { changeClientSecret, deleteApiClient, listApiClients } from '../../store/access/api-clients.ts';
import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';
import type { Actor } from './access.ts';
import { changeAccess } from './access-lock.ts';
import { hashGenerated } from './secret-hash.ts';

export interface ListedClient {
  id: string;
  label: string;
  createdAt: number;
}

/** The only time the secret is known; the store has its digest. */
export interface ClientWithSecret {
  id: string;
  secret: Secret;
}

export async function describeClients(service: Service, { accountId }: Actor): Promise<ListedClient[]> {
  const rows = await listApiClients(service.database.query, accountId);
  return rows.map(({ id, label, created_at: createdAt }) => ({ id, label, createdAt }));
}

export async function createClient(
  service: Service,
  { accountId }: Actor,
  label: string,
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
    kind: 'owner',
  });
  return { id, secret };
}

async function ownClient(query: Query, accountId: string, id: string): Promise<ApiClientRow> {
  const client = await findApiClient(query, id);
  if (client?.account_id !== accountId) throw notFound('API client', id);
  return client;
}

export async function removeClient(service: Service, { accountId }: Actor, id: string): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    await ownClient(query, accountId, id);
    if ((await listApiClients(query, accountId)).length === 1)
      throw new Failure('conflict', `API client ${id} is the account's last one`, {
        description:
          'Without an API client nobody can sign in. Create another one first, or rotate its secret.',
      });
    await deleteApiClient(query, id);
  });
}

/** Users who signed in through the client stay signed in: they also know a password. */
export async function rotateClient(
  service: Service,
  { accountId }: Actor,
  id: string,
): Promise<ClientWithSecret> {
  const secret = new Secret(newClientSecret());
  await changeAccess(service, accountId, async (query) => {
    await ownClient(query, accountId, id);
    await changeClientSecret(query, id, hashGenerated(secret.reveal()));
    await deleteAccessTokensOf(query, id);
  });
  return { id, secret };
}
