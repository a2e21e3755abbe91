import { Failure } from '../../basics/failure.ts';
import {
  blockLogin,
  countLoginFailure,
  deleteLoginFailures,
  deleteOldLoginFailures,
  readBlockedUntil,
} from '../../store/access/login-failures.ts';
import { digest } from '../access/secret-hash.ts';
import type { Service } from '../service.ts';

const freeAttempts = 5;
const firstBlockMs = 2_000;
const maxBlockMs = 15 * 60_000;
const failuresKeptMs = 24 * 60 * 60_000;

/**
 * Checks a secret of `subject`, unless too many attempts failed recently. Checks of one subject are serialized, so that parallel
 * guessing has no advantage. The subject is stored as a digest, because it contains unauthenticated input.
 */
export function checkThrottled<T>(
  service: Service,
  subject: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = digest(subject);
  return service.loginMutex.run(key, async () => {
    await refuseBlocked(service, key);
    const found = await check();
    if (found === undefined) await recordLoginFailure(service, key);
    else await deleteLoginFailures(service.database.query, key);
    return found;
  });
}

/** Refuses while the subject is blocked, without checking the secret. */
async function refuseBlocked(service: Service, subject: string): Promise<void> {
  const waitMs = (await readBlockedUntil(service.database.query, subject)) - service.clock.now();
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Failure('too_many_requests', `Too many failed attempts; try again in ${seconds} s`, {
    retryAfter: seconds,
  });
}

/** From the sixth failure on, each doubles the block. Stored in the database, so it applies to all servers and survives restarts. */
async function recordLoginFailure(service: Service, subject: string): Promise<void> {
  const { query } = service.database;
  const now = service.clock.now();
  await deleteOldLoginFailures(query, now - failuresKeptMs);
  const failures = await countLoginFailure(query, subject, now);
  if (failures < freeAttempts) return;
  const blockMs = Math.min(firstBlockMs * 2 ** Math.min(failures - freeAttempts, 20), maxBlockMs);
  await blockLogin(query, subject, now + blockMs);
}
