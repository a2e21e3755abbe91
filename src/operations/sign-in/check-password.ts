import { callerAt } from '../../basics/net/caller-at.ts';
import type { UserRow } from '../../store/access/accounts.ts';
import { runAtOnce } from '../access/hash-queue.ts';
import { equalizeTiming, matchesHash } from '../access/secret-hash.ts';
import type { Service } from '../service.ts';
import { checkThrottled } from './login-throttle.ts';

/** The name that a caller gave, and the user it belongs to. */
export interface NamedUser {
  accountId: string;
  /** Undefined: no user has this name. */
  user: UserRow | undefined;
  username: string;
}

interface Login extends NamedUser {
  /** The caller's IP address. */
  address: string;
}

/** Checks a password; throws `too_many_requests` after too many wrong ones from this address, even for the correct password. */
export async function passwordMatches(
  service: Service,
  { accountId, user, username, address }: Login,
  password: string,
): Promise<boolean> {
  // By user id if possible, because the master user has several names.
  const subject = `user ${user?.id ?? username} of ${accountId}`;
  const run = service.hashing.of(callerAt(address));
  const known = await checkThrottled(service, { subject, address, run }, async () => {
    if (user) return (await matchesHash(runAtOnce, password, user.password_hash)) ? user : undefined;
    await equalizeTiming(runAtOnce, password);
    return undefined;
  });
  if (!known) {
    const name = user?.username ?? null;
    service.failedSignIns.note({ accountId, kind: 'user', name, address });
  }
  return known !== undefined;
}
