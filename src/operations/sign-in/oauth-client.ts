import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import { type ClientKind, type Grant, mayUseGrant, publicClientId } from '../../model/client-kinds.ts';
import { isStackId } from '../../model/names.ts';
import { type ApiClientRow, findApiClient } from '../../store/access/accounts.ts';
import type { Query } from '../../store/database/database.ts';
import { findStackById } from '../../store/stacks/stacks.ts';
import { equalizeTiming, equalTexts, isGenerated, matchesHash } from '../access/secret-hash.ts';
import { type Service, sealedFor } from '../service.ts';
import { passwordPace } from './login-pace.ts';
import { checkThrottled } from './login-throttle.ts';

/** An API client, a stack whose agent signs in as the stack, or the command line, which belongs to no account. */
export type OAuthClient = { id: string; clientKind: ClientKind; accountId: string } & (
  | { kind: 'client'; secretHash: string }
  | { kind: 'stack' | 'public' }
);

export interface ClientRequest {
  address: string;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

const wrongClient = () =>
  new Failure('invalid_client', 'The client_id is unknown or its client_secret is wrong');

export const required = (value: string | undefined, name: string): string => {
  if (value) return value;
  throw new Failure('invalid_request', `${name} not specified`);
};

/** Belongs to no account: its users name theirs. */
const publicClient: OAuthClient = {
  kind: 'public',
  id: publicClientId,
  clientKind: 'sign-in',
  accountId: '',
};

export async function authenticateClient(service: Service, request: ClientRequest): Promise<OAuthClient> {
  const id = required(request.clientId, 'client_id');
  if (id === publicClientId && !request.clientSecret) return publicClient;
  const secret = required(request.clientSecret, 'client_secret');
  const { address } = request;
  const kind = isStackId(id) ? 'stack' : 'client';
  const row = kind === 'client' ? await findApiClient(service.database.query, id) : undefined;
  const accountId = row?.account_id ?? (await accountOfStack(service, id));
  // Nothing can be guessed, so nothing is stored: otherwise invented ids would fill the table of failures.
  if (accountId === undefined) {
    if (kind === 'client') await equalizeTiming(service.hashing.of(callerAt(address)), secret);
    throw wrongClient();
  }
  const pace = row && !isGenerated(row.secret_hash) ? passwordPace : null;
  const client = await checkThrottled(service, { subject: `client ${id}`, address, pace }, async () =>
    row ? asApiClient(service, request, { row, secret }) : asStack(service, id, secret),
  );
  if (client) return client;
  service.failedSignIns.note({ accountId, kind, name: id, address });
  throw wrongClient();
}

const accountOfStack = async ({ database }: Service, id: string): Promise<string | undefined> =>
  isStackId(id) ? (await findStackById(database.query, id))?.account_id : undefined;

async function asApiClient(
  service: Service,
  { address }: ClientRequest,
  { row, secret }: { row: ApiClientRow; secret: string },
): Promise<OAuthClient | undefined> {
  const { id, kind: clientKind, account_id: accountId, secret_hash: secretHash } = row;
  const run = service.hashing.of(callerAt(address));
  if (!(await matchesHash(run, secret, secretHash))) {
    // A random secret is checked at once: a wrong one must take as long as one that was chosen, or as an unknown id.
    if (isGenerated(secretHash)) await equalizeTiming(run, secret);
    return undefined;
  }
  return { kind: 'client', id, clientKind, accountId, secretHash };
}

async function asStack(service: Service, id: string, secret: string): Promise<OAuthClient | undefined> {
  const stack = isStackId(id) ? await findStackById(service.database.query, id) : undefined;
  if (!stack || stack.deleted_at !== null) return undefined;
  const token = service.sealer.unseal(stack.sealed_auth_token, sealedFor.authToken(id));
  return equalTexts(secret, token.reveal())
    ? { kind: 'stack', id, clientKind: 'agent', accountId: stack.account_id }
    : undefined;
}

const otherGrant: Readonly<Record<Grant, string>> = {
  password: 'must use grant_type client_credentials',
  client_credentials:
    'must use grant_type password; a program that signs in without a user needs a client of kind service or agent',
};

/** Call it after the secret was checked, so that only the client itself learns its kind. */
export function refuseGrantOf(client: OAuthClient, grant: Grant): void {
  if (mayUseGrant(client.clientKind, grant)) return;
  const name = client.kind === 'stack' ? 'A stack' : `API client ${client.id} of kind ${client.clientKind}`;
  throw new Failure('unauthorized_client', `${name} ${otherGrant[grant]}`);
}

/** Checks again inside the transaction: the client may have been changed while its secret was checked. */
export async function refuseChangedClient(query: Query, client: OAuthClient): Promise<void> {
  if (client.kind !== 'client') return;
  const current = await findApiClient(query, client.id);
  if (current?.secret_hash !== client.secretHash || current.kind !== client.clientKind) throw wrongClient();
}
