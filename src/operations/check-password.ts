import type { UserRow } from '../store/accounts.ts';
import { noteLoginFailure, noteLoginSuccess, refuseBlocked } from './login-throttle.ts';
import { matchesHash, pretendToCheck } from './secret-hash.ts';
import type { Service } from './service.ts';

interface Claimed {
  accountId: string;
  /** Undefined: nobody has the name. */
  user: UserRow | undefined;
  username: string;
}

/** Refuses, whatever the password, once too many wrong ones were tried. */
export async function passwordFits(
  service: Service,
  { accountId, user, username }: Claimed,
  password: string,
): Promise<boolean> {
  // By the user, not by what was typed: the master user has several names.
  const subject = `user ${user?.id ?? username} of ${accountId}`;
  await refuseBlocked(service, subject);
  if (!user) await pretendToCheck(password);
  const fits = user !== undefined && (await matchesHash(password, user.password_hash));
  await (fits ? noteLoginSuccess : noteLoginFailure)(service, subject);
  return fits;
}
