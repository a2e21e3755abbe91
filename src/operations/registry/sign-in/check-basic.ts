import { Failure } from '../../../basics/failure.ts';
import { callerAt } from '../../../basics/net/caller-at.ts';
import { isPersonalToken, isRegistryRefreshToken, isStackId } from '../../../model/names.ts';
import { findApiClient, type UserRow } from '../../../store/access/accounts.ts';
import { type Actor, authenticate } from '../../access/access.ts';
import { rolesOfClient } from '../../access/permission.ts';
import { refuseSuspended } from '../../access/suspension.ts';
import type { Service } from '../../service.ts';
import { confirmedFactor } from '../../sign-in/check-code.ts';
import { passwordMatches } from '../../sign-in/check-password.ts';
import { findLogin } from '../../sign-in/find-login.ts';
import { authenticateClient } from '../../sign-in/oauth-client.ts';
import { actorOfPullCredential } from './pull-credential.ts';
import { actorOfRefreshToken } from './refresh-tokens.ts';
import { userActor } from './user-actor.ts';
import { wrongCredentials, wrongToken } from './wrong-credentials.ts';

export interface NamedCredentials {
  username: string;
  password: string;
  /** IP address of the caller. */
  address: string;
}

/** Who signed in, and how: it decides what a refresh token can stand for. */
export interface SignedIn {
  actor: Actor;
  /** Set after a correct password. */
  user?: UserRow;
}

/** A client of the registry cannot ask for a code. */
const useToken = (): Failure =>
  new Failure('unauthorized', 'This user has a second factor: use a personal access token as the password', {
    description: 'Create one with: alm token create',
  });

const withoutCode = (error: unknown): never => {
  throw error instanceof Failure && error.kind === 'mfa_required' ? useToken() : error;
};

async function checkPassword(service: Service, credentials: NamedCredentials): Promise<SignedIn> {
  const { rememberedPasswords: remembered, hashing, database } = service;
  const { username, password, address } = credentials;
  const login = await findLogin(database.query, username);
  const { user } = login;
  const typed = user && { user, address, password };
  const isKnown = typed && remembered.has(typed) && !(await confirmedFactor(service, user.id));
  if (!isKnown) {
    hashing.refuseIfFull(callerAt(address));
    if (typed) remembered.forget(typed);
    const matches = await passwordMatches(service, { ...login, address, otp: null }, password).catch(
      withoutCode,
    );
    if (!matches) throw wrongCredentials();
  }
  if (!user || !typed) throw wrongCredentials();
  await refuseSuspended(database.query, user.account_id);
  remembered.add(typed);
  return { actor: await userActor(database.query, user), user };
}

/** The name must be of the token's user: otherwise a program would work under a name that nobody checks. */
async function checkPersonalToken(
  service: Service,
  { username, password }: NamedCredentials,
): Promise<SignedIn> {
  const actor = await authenticate(service, password);
  const { user } = await findLogin(service.database.query, username);
  if (actor?.kind !== 'user') throw wrongToken();
  if (user?.id !== actor.userId) throw wrongCredentials();
  return { actor };
}

/** Clients of other kinds have no rights of their own. */
async function checkClient(service: Service, credentials: NamedCredentials): Promise<SignedIn> {
  const { username: clientId, password: clientSecret, address } = credentials;
  const { accountId, clientKind } = await authenticateClient(service, { clientId, clientSecret, address });
  const { query } = service.database;
  await refuseSuspended(query, accountId);
  if (clientKind !== 'service' && clientKind !== 'owner')
    throw new Failure('unauthorized', `API clients of kind ${clientKind} have no rights in the registry`, {
      description: 'Use a client of kind service with roles, or sign in as a user.',
    });
  const roles = clientKind === 'service' ? await rolesOfClient(query, accountId, clientId) : [];
  return { actor: { kind: 'client', accountId, clientId, clientKind, roles } };
}

const found = (actor: Actor | null): SignedIn => {
  if (actor === null) throw wrongToken();
  return { actor };
};

/** Checks a name and what was sent as its password. Throws `unauthorized` if it is wrong, `too_many_requests` after too many wrong ones. */
export async function checkBasic(service: Service, credentials: NamedCredentials): Promise<SignedIn> {
  const { username, password } = credentials;
  if (isRegistryRefreshToken(password)) return found(await actorOfRefreshToken(service, password));
  if (isPersonalToken(password)) return checkPersonalToken(service, credentials);
  if (isStackId(username)) return found(await actorOfPullCredential(service, username, password));
  const client = await findApiClient(service.database.query, username);
  return client ? checkClient(service, credentials) : checkPassword(service, credentials);
}
