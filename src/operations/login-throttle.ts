import { Failure } from '../basics/failure.ts';
import {
  blockLogin,
  countLoginFailure,
  forgetLoginFailures,
  forgetOldFailures,
  readBlockedUntil,
} from '../store/login-failures.ts';
import type { Service } from './service.ts';

const freeTries = 5;
const firstBlockMs = 2_000;
const longestBlockMs = 15 * 60_000;
const failuresKeptMs = 24 * 60 * 60_000;

/** Refuses while the subject is blocked, without even looking at what was sent. */
export async function refuseBlocked(service: Service, subject: string): Promise<void> {
  const wait = (await readBlockedUntil(service.database.query, subject)) - service.clock.now();
  if (wait <= 0) return;
  const seconds = Math.ceil(wait / 1000);
  throw new Failure('too_many_requests', `Too many failed attempts; try again in ${seconds} s`, {
    retryAfter: seconds,
  });
}

/** From the sixth failure on, each doubles the wait. Kept in the database: it holds on every server and after a restart. */
export async function noteLoginFailure(service: Service, subject: string): Promise<void> {
  const { query } = service.database;
  const now = service.clock.now();
  await forgetOldFailures(query, now - failuresKeptMs);
  const failures = await countLoginFailure(query, subject, now);
  if (failures < freeTries) return;
  const block = Math.min(firstBlockMs * 2 ** Math.min(failures - freeTries, 20), longestBlockMs);
  await blockLogin(query, subject, now + block);
}

export const noteLoginSuccess = (service: Service, subject: string): Promise<void> =>
  forgetLoginFailures(service.database.query, subject);
