import { Failure } from '../../basics/failure.ts';
import {
  blockLogin,
  countLoginFailure,
  deleteLoginFailures,
  deleteOldLoginFailures,
  readBlockedUntil,
} from '../../store/access/login-failures.ts';
import type { Service } from '../service.ts';
import { digest } from './secret-hash.ts';

const freeTries = 5;
const firstBlockMs = 2_000;
const longestBlockMs = 15 * 60_000;
const failuresKeptMs = 24 * 60 * 60_000;

/**
 * Checks a secret of `subject`, unless too many were wrong lately. Checks of one subject follow one another, so that guessing
 * in parallel gains nothing. The subject is kept as a digest: it holds what a stranger typed.
 */
export function checkThrottled<T>(
  service: Service,
  subject: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = digest(subject);
  return service.turns.take(key, async () => {
    await refuseBlocked(service, key);
    const found = await check();
    if (found === undefined) await noteLoginFailure(service, key);
    else await deleteLoginFailures(service.database.query, key);
    return found;
  });
}

/** Refuses while the subject is blocked, without even looking at what was sent. */
async function refuseBlocked(service: Service, subject: string): Promise<void> {
  const wait = (await readBlockedUntil(service.database.query, subject)) - service.clock.now();
  if (wait <= 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new Failure('too_many_requests', `Too many failed attempts; try again in ${seconds} s`, {
    retryAfter: seconds,
  });
}

/** From the sixth failure on, each doubles the wait. Kept in the database: it holds on every server and after a restart. */
async function noteLoginFailure(service: Service, subject: string): Promise<void> {
  const { query } = service.database;
  const now = service.clock.now();
  await deleteOldLoginFailures(query, now - failuresKeptMs);
  const failures = await countLoginFailure(query, subject, now);
  if (failures < freeTries) return;
  const block = Math.min(firstBlockMs * 2 ** Math.min(failures - freeTries, 20), longestBlockMs);
  await blockLogin(query, subject, now + block);
}
