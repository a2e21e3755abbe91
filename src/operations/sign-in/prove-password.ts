import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import type { UserRow } from '../../store/access/accounts.ts';
import type { Service } from '../service.ts';
import { passwordMatches } from './check-password.ts';

const invalidCurrentPassword = (message: string, description: string) =>
  new Failure('invalid_request', message, { description, problems: [{ path: 'current_password', message }] });

export interface OwnProof {
  currentPassword: Secret | null;
  /** Required if the second factor is enabled. */
  otp: string | null;
  /** The caller's IP address. */
  address: string;
}

/** For changes that give lasting access: a stolen token alone must not be enough. A wrong password counts as a failed sign-in. */
export async function proveOwn(
  service: Service,
  user: UserRow,
  { currentPassword, otp, address }: OwnProof,
): Promise<void> {
  if (!currentPassword)
    throw invalidCurrentPassword(
      'current_password not specified',
      'Also send the password you currently sign in with.',
    );
  const login = { accountId: user.account_id, user, username: user.username, address, otp };
  if (!(await passwordMatches(service, login, currentPassword.reveal())))
    throw invalidCurrentPassword(
      'current_password is wrong',
      'Send the password you currently sign in with and, if your second factor is enabled, a code that was not used before. ' +
        'If you sign in with an OpenID provider, ask the master to set a password.',
    );
}
