import { Failure, notFound } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
// The first user of an account has the account's own id, so the ids of users look like those of accounts.
import { newAccountId as newUserId } from '../../model/names.ts';
import {
  deleteAccessTokensOf,
  findUserByLogin,
  insertUser,
  type UserRow,
} from '../../store/access/accounts.ts';
import { deleteUser, listUsers, transferStacks } from '../../store/access/users.ts';
import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';
import type { Actor } from './access.ts';
import { changeAccess } from './access-lock.ts';
import { hashChosen } from './secret-hash.ts';

/** What may be shown of a user. */
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
}

export type SignedInUser = Extract<Actor, { kind: 'user' }>;

export function signedInUser(actor: Actor): SignedInUser {
  if (actor.kind === 'user') return actor;
  throw new Failure('forbidden', 'Only a user can ask about themselves', {
    description: 'Sign in with grant_type password.',
  });
}

/** The master user also goes by `root` and by its e-mail address, here as when signing in. */
export async function userNamed(query: Query, accountId: string, username: string): Promise<UserRow> {
  const user = await findUserByLogin(query, accountId, username);
  if (!user) throw notFound('User', username);
  return user;
}

const onlyMaster = () =>
  new Failure('forbidden', 'RBAC response is limited.', {
    description: 'Only the master account may see or change other users.',
  });

/** Whoever is not the master learns of nobody else, not even whether they exist. */
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

/** With a letter or digit in it: `.` and `..` could not be named in an address. */
const usernameForm = /^(?=.*[A-Za-z0-9])[A-Za-z0-9._@-]{1,64}$/;

/** `root` is the master whatever its name, and `/v3/user/role` is an address of its own. */
const takenWords: ReadonlySet<string> = new Set(['root', 'role']);

function refuseUsername(message: string): never {
  throw new Failure('invalid_request', message, { problems: [{ path: 'username', message }] });
}

function checkUsername(username: string): void {
  if (!usernameForm.test(username))
    refuseUsername('username must be 1 to 64 letters (A to Z), digits, and the characters . _ @ -');
  if (takenWords.has(username.toLowerCase()))
    refuseUsername(`username must not be ${username}: the word has a meaning of its own here`);
}

/** Gives the new user's id. */
export async function createUser(
  service: Service,
  { accountId }: Actor,
  { username, email, password }: NewUser,
): Promise<string> {
  checkUsername(username);
  const id = newUserId();
  const password_hash = await hashChosen(password.reveal());
  await changeAccess(service, accountId, async (query) => {
    if (await findUserByLogin(query, accountId, username))
      throw new Failure('duplicate', `There is already a user who signs in as ${username}`, {
        description: 'Choose another username, or delete that user first.',
      });
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

/** Its tokens end with it; what it made passes to the master, so that nobody inherits it by taking the same name. */
export async function removeUser(service: Service, { accountId }: Actor, username: string): Promise<void> {
  await changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    if (user.master === 1)
      throw new Failure('conflict', `User ${user.username} is the master and cannot be deleted`, {
        description: 'An account always has its master user.',
      });
    await deleteAccessTokensOf(query, user.id);
    const master = await userNamed(query, accountId, 'root');
    await transferStacks(query, accountId, { from: user.username, to: master.username });
    await deleteUser(query, user.id);
  });
}
