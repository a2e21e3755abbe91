import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import { deleteAccessTokensOf, type UserRow } from '../../store/access/accounts.ts';
import { changePassword } from '../../store/access/users.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { hashChosen } from '../access/secret-hash.ts';
import { selfOrAsMaster, signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { passwordMatches } from './check-password.ts';

export interface PasswordChange {
  username: string;
  password: Secret;
  /** Required to change one's own password, so that a stolen token does not give permanent access. */
  currentPassword: Secret | null;
  /** The caller's IP address. */
  address: string;
}

const invalidCurrentPassword = (message: string, description: string) =>
  new Failure('invalid_request', message, { description, problems: [{ path: 'current_password', message }] });

async function proveOwn(
  service: Service,
  user: UserRow,
  { currentPassword, address }: PasswordChange,
): Promise<void> {
  if (!currentPassword)
    throw invalidCurrentPassword(
      'current_password not specified',
      'To change your own password, also send the current one.',
    );
  const login = { accountId: user.account_id, user, username: user.username, address };
  if (!(await passwordMatches(service, login, currentPassword.reveal())))
    throw invalidCurrentPassword(
      'current_password is wrong',
      'Send the password you currently sign in with.',
    );
}

/** Changes a password and revokes all tokens of the user. */
export async function replacePassword(service: Service, actor: Actor, change: PasswordChange): Promise<void> {
  const user = await selfOrAsMaster(service, actor, change.username);
  if (user.id === signedInUser(actor).userId) await proveOwn(service, user, change);
  const passwordHash = await hashChosen(change.password.reveal());
  await changeAccess(service, user.account_id, async (query) => {
    if (!(await changePassword(query, user, passwordHash)))
      throw new Failure('conflict', `The password of ${user.username} was changed by another request`, {
        description: 'Sign in again, or ask the master account.',
      });
    await deleteAccessTokensOf(query, user.id);
  });
}
