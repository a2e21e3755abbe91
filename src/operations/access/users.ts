import { Failure, notFound } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
// The first user of an account has the account's id, so user ids have the same format as account ids.
import { newAccountId as newUserId } from '../../model/names.ts';
import { findApiClient, findUserByLogin, insertUser, type UserRow } from '../../store/access/accounts.ts';
import { deleteUser, listUsers, transferStacks } from '../../store/access/users.ts';
import type { Query } from '../../store/database/database.ts';
import { transferSecrets } from '../../store/secrets/secrets.ts';
import type { Service } from '../service.ts';
import type { Actor } from './access.ts';
import { changeAccess } from './access-lock.ts';
import { endAccessOf } from './end-access-of.ts';
import { refuseKeptRepositories } from './kept-repositories.ts';
import { refuseWeakPassword } from './password-rules.ts';
import { hashChosen } from './secret-hash.ts';

/** A user without its password. */
export interface ListedUser {
  id: string;
  username: string;
  email: string;
  master: boolean;
  createdAt: number;
  /** Null: never signed in. */
  lastLoginAt: number | null;
}

export interface NewUser {
  username: string;
  email: string;
  password: Secret;
  /** The user gets the repositories that are in the namespace of the name. */
  takesRepositories?: boolean | undefined;
}

export type SignedInUser = Extract<Actor, { kind: 'user' }>;

export function signedInUser(actor: Actor): SignedInUser {
  if (actor.kind === 'user') return actor;
  throw new Failure('forbidden', 'This request requires the token of a user', {
    description: 'Sign in with grant_type password.',
  });
}

/** Finds a user by login name. The master user can also be named `root` or by its e-mail address. */
export async function userNamed(query: Query, accountId: string, username: string): Promise<UserRow> {
  const user = await findUserByLogin(query, accountId, username);
  if (!user) throw notFound('User', username);
  return user;
}

const onlyMaster = () =>
  new Failure('forbidden', 'RBAC response is limited.', {
    description: 'Only the master account has permission to see or change other users.',
  });

/** Users other than the master see only themselves; a refusal does not reveal whether another user exists. */
export async function selfOrAsMaster(service: Service, actor: Actor, username: string): Promise<UserRow> {
  const { accountId, userId, master } = signedInUser(actor);
  const user = await findUserByLogin(service.database.query, accountId, username);
  if (user?.id !== userId && !master) throw onlyMaster();
  if (!user) throw notFound('User', username);
  return user;
}

const listed = (row: UserRow): ListedUser => ({
  id: row.id,
  username: row.username,
  email: row.email,
  master: row.master === 1,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
});

export async function describeUser(service: Service, actor: Actor, username: string): Promise<ListedUser> {
  return listed(await selfOrAsMaster(service, actor, username));
}

export async function describeUsers(service: Service, actor: Actor): Promise<ListedUser[]> {
  const { accountId, master } = signedInUser(actor);
  if (!master) throw onlyMaster();
  return (await listUsers(service.database.query, accountId)).map(listed);
}

/** Requires a letter or digit, because `.` and `..` cannot be used in a URL path. */
const usernamePattern = /^(?=.*[A-Za-z0-9])[A-Za-z0-9._@-]{1,64}$/;

/** `root` always means the master, and `/v3/user/role` is another route. */
const reservedNames: ReadonlySet<string> = new Set(['root', 'role']);

/** Ids of API clients and stacks: a stack names its owner, so a user of that name would own the stacks of the client. */
const idPrefix = /^(lg|mo)-/i;

function refuseUsername(message: string): never {
  throw new Failure('invalid_request', message, { problems: [{ path: 'username', message }] });
}

export function checkUsername(username: string): void {
  if (!usernamePattern.test(username))
    refuseUsername('username must be 1 to 64 letters (A to Z), digits, and the characters . _ @ -');
  if (reservedNames.has(username.toLowerCase()))
    refuseUsername(`username must not be ${username}: the name is reserved`);
  if (idPrefix.test(username))
    refuseUsername('username must not start with lg- or mo-, like ids of API clients and stacks');
}

/** The operator can choose the id of the first client, so it may have any form. */
export async function refuseClientName(query: Query, accountId: string, username: string): Promise<void> {
  const client = await findApiClient(query, username);
  if (client?.account_id === accountId)
    refuseUsername(`username must not be ${username}: an API client of the account has this id`);
}

const takeAdvice =
  'Delete them first, choose another username, or give them to the user with POST /v3/user?take_repositories=true';

/** Returns the new user's id. */
export async function createUser(
  service: Service,
  { accountId }: Actor,
  { username, email, password, takesRepositories = false }: NewUser,
): Promise<string> {
  checkUsername(username);
  const run = service.hashing.of(`account ${accountId}`);
  await run(() => refuseWeakPassword(password, { accountId, username, email }));
  const id = newUserId();
  const password_hash = await hashChosen(run, password.reveal());
  await changeAccess(service, accountId, async (query) => {
    await refuseClientName(query, accountId, username);
    if (await findUserByLogin(query, accountId, username))
      throw new Failure('duplicate', `A user with the name ${username} already exists`, {
        description: 'Choose another username, or delete that user first.',
      });
    if (!takesRepositories) await refuseKeptRepositories(query, { accountId, username }, takeAdvice);
    const created_at = service.clock.now();
    await insertUser(query, {
      id,
      account_id: accountId,
      username,
      email,
      password_hash,
      master: 0,
      created_at,
    });
  });
  return id;
}

/** Deletes a user and its tokens. Its stacks and secrets pass to the master, so that a later user of the same name does not own them. */
export async function removeUser(service: Service, { accountId }: Actor, username: string): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    if (user.master === 1)
      throw new Failure('conflict', `User ${user.username} is the master and cannot be deleted`, {
        description: 'Every account must have its master user.',
      });
    await endAccessOf(query, user.id);
    const master = await userNamed(query, accountId, 'root');
    const now = service.clock.now();
    const owners = { from: user.username, to: master.username };
    await transferStacks(query, accountId, { ...owners, now });
    await transferSecrets(query, accountId, owners);
    await deleteUser(query, user.id);
  });
}
