import { Failure } from '../../basics/failure.ts';
import type { Secret } from '../../basics/secret.ts';
import { changePassword } from '../../store/access/users.ts';
import type { Actor } from '../access/access.ts';
import { changeAccess } from '../access/access-lock.ts';
import { endAccessOf } from '../access/end-access-of.ts';
import { refuseWeakPassword } from '../access/password-rules.ts';
import { refuseStaleProof } from '../access/recent-proof.ts';
import { hashChosen } from '../access/secret-hash.ts';
import { selfOrAsMaster, signedInUser } from '../access/users.ts';
import type { Service } from '../service.ts';
import { type OwnProof, proveOwn } from './prove-password.ts';

/** The proof is required to change one's own password, so that a stolen token does not give permanent access. */
export interface PasswordChange extends OwnProof {
  username: string;
  password: Secret;
}

/** Changes a password, and ends all other access of the user. */
export async function replacePassword(service: Service, actor: Actor, change: PasswordChange): Promise<void> {
  const user = await selfOrAsMaster(service, actor, change.username);
  if (user.id === signedInUser(actor).userId) await proveOwn(service, user, change);
  else refuseStaleProof(service, actor, 'always');
  const { account_id: accountId, username, email } = user;
  const run = service.hashing.of(`account ${accountId}`);
  await run(() => refuseWeakPassword(change.password, { accountId, username, email }));
  const passwordHash = await hashChosen(run, change.password.reveal());
  await changeAccess(service, user.account_id, async (query) => {
    if (!(await changePassword(query, user, passwordHash)))
      throw new Failure('conflict', `The password of ${user.username} was changed by another request`, {
        description: 'Sign in again, or ask the master.',
      });
    await endAccessOf(query, user.id);
  });
}
