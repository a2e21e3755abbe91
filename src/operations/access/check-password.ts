import type { UserRow } from '../../store/access/accounts.ts';
import type { Service } from '../service.ts';
import { checkThrottled } from './login-throttle.ts';
import { equalizeTiming, matchesHash } from './secret-hash.ts';

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
  const known = await checkThrottled(service, subject, async () => {
    if (user) return (await matchesHash(password, user.password_hash)) ? user : undefined;
    await equalizeTiming(password);
    return undefined;
  });
  return known !== undefined;
}
