import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import type { UserRow } from '../../store/access/accounts.ts';
import type { SecondFactorRow } from '../../store/access/second-factors.ts';
import { runAtOnce } from '../access/hash-queue.ts';
import { equalizeTiming, matchesHash } from '../access/secret-hash.ts';
import type { Service } from '../service.ts';
import { codeRequired, confirmedFactor, takeCode } from './check-code.ts';
import { codePace } from './login-pace.ts';
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
  /** One-time code; null: the caller sent none. */
  otp: string | null;
  /** For clients that know no codes: the last six digits of what they send as the password are the code. */
  codeInPassword?: boolean;
}

/** Only after the right password, so that nobody else learns who has a second factor. A missing code does not count as a failed attempt. */
async function codeMatches(
  service: Service,
  factor: SecondFactorRow,
  { otp, user, address }: Pick<Login, 'otp' | 'address'> & { user: UserRow },
): Promise<boolean> {
  const note = (reason: string): void => {
    const { account_id: accountId, username: name } = user;
    service.failedSignIns.note({ accountId, kind: 'user', name, address, reason });
  };
  if (otp === null) {
    note('right password, no code');
    throw codeRequired();
  }
  const subject = `code of user ${factor.user_id}`;
  const taken = await checkThrottled(service, { subject, address, pace: codePace }, async () =>
    (await takeCode(service, factor, otp)) ? true : undefined,
  ).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'too_many_requests')
      note('right password, too many wrong codes');
    throw error;
  });
  return taken ?? false;
}

/** Separates the code from the password of clients that cannot send it by itself. */
function separate(
  typed: string,
  { otp, codeInPassword = false }: Pick<Login, 'otp' | 'codeInPassword'>,
): { password: string; otp: string | null } {
  const [, password, code] = (codeInPassword && otp === null && /^(.+)(\d{6})$/s.exec(typed)) || [];
  return password === undefined || code === undefined ? { password: typed, otp } : { password, otp: code };
}

async function userMatches(
  service: Service,
  typed: string,
  { user, ...login }: Login & { user: UserRow },
): Promise<boolean> {
  const factor = await confirmedFactor(service, user.id);
  const { password, otp } = factor ? separate(typed, login) : { password: typed, otp: null };
  if (!(await matchesHash(runAtOnce, password, user.password_hash))) return false;
  return factor ? codeMatches(service, factor, { otp, user, address: login.address }) : true;
}

/**
 * Checks a password and, if the user has a second factor, a one-time code. Throws `too_many_requests` after too many wrong ones from this
 * address, even for the correct password.
 */
export async function passwordMatches(service: Service, login: Login, password: string): Promise<boolean> {
  const { accountId, user, username, address } = login;
  // By user id if possible, because the master user has several names.
  const subject = `user ${user?.id ?? username} of ${accountId}`;
  const run = service.hashing.of(callerAt(address));
  const known = await checkThrottled(service, { subject, address, run }, async () => {
    if (user) return (await userMatches(service, password, { ...login, user })) ? user : undefined;
    await equalizeTiming(runAtOnce, password);
    return undefined;
  });
  if (known) service.hashing.trust(callerAt(address));
  else {
    const name = user?.username ?? null;
    service.failedSignIns.note({ accountId, kind: 'user', name, address });
  }
  return known !== undefined;
}
