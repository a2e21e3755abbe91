import { Failure } from '../../basics/failure.ts';
import { callerAt } from '../../basics/net/caller-at.ts';
import { pause } from '../../basics/pause.ts';
import {
  blockLogin,
  claimAttempt,
  countLoginFailure,
  deleteLoginFailures,
  type LoginFailures,
  readLoginFailures,
  returnClaim,
  trimLoginFailures,
} from '../../store/access/login-failures.ts';
import { type RunHash, runAtOnce } from '../access/hash-queue.ts';
import { digest } from '../access/secret-hash.ts';
import type { Service } from '../service.ts';
import { giveBack, notePlace, type Pace, passwordPace, type Turn, takeTurn } from './login-pace.ts';

/** One check of a secret that a caller claims to know. */
export interface Attempt {
  /** Whose secret, such as `user <id>`. */
  subject: string;
  /** The caller's IP address. */
  address: string;
  /** Limit of attempts from all unknown addresses together. Null: the secret is random, so nobody can guess it. */
  pace?: Pace | null;
  /** Queue of the check and all work around it, if the check is expensive. */
  run?: RunHash;
}

const freeAttempts = 5;
const firstBlockMs = 2_000;
const maxBlockMs = 15 * 60_000;
const failuresKeptMs = 24 * 60 * 60_000;
const maxRows = 20_000;

/**
 * Checks a secret, unless too many attempts of this caller failed recently. Counts by subject and caller, so that nobody can lock
 * out others; the pace limits what many callers can guess together. Attempts of one caller are serialized, so that parallel
 * guessing has no advantage. Only digests are stored, because the subject contains unauthenticated input.
 */
export function checkThrottled<T>(
  service: Service,
  { subject, address, pace = passwordPace, run = runAtOnce }: Attempt,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const place = digest(`${subject} from ${callerAt(address)}`);
  const everywhere = digest(subject);
  const checkIn = async (turn: Turn | null, before: LoginFailures): Promise<T | undefined> => {
    const claim = await claimIfFailing(service, place, before);
    const found = await check().catch(async (error: unknown) => {
      if (isNoGuess(error)) await undo(service, claim, turn);
      throw error;
    });
    if (found === undefined) await recordLoginFailure(service, place, before);
    else {
      if (before.failures > 0) await deleteLoginFailures(service.database.query, place);
      if (turn) await notePlace(service, turn);
    }
    return found;
  };
  return service.loginMutex.run(place, async () => {
    const attempt = await run(async () => {
      const before = await refuseBlocked(service, place);
      const turn = pace && (await takeTurn(service, { everywhere, place, pace }));
      const isLater = turn !== null && turn.waitMs > 0;
      return isLater ? { before, turn } : { found: await checkIn(turn, before) };
    });
    if ('found' in attempt) return attempt.found;
    // Others need not wait for this caller's turn.
    await pause(service.clock, attempt.turn.waitMs, service.stopping);
    return run(() => checkIn(attempt.turn, attempt.before));
  });
}

const tooManyAttempts = (waitMs: number): Failure => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Failure('too_many_requests', `Too many failed attempts; try again in ${seconds} s`, {
    retryAfter: seconds,
  });
};

/** Refuses while the caller is blocked, without checking the secret. */
async function refuseBlocked(service: Service, place: string): Promise<LoginFailures> {
  const before = await readLoginFailures(service.database.query, place);
  const waitMs = before.blocked_until - service.clock.now();
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  return before;
}

/** From the fifth failure on, each doubles the block. */
const blockAfter = (failures: number): number =>
  Math.min(firstBlockMs * 2 ** Math.min(failures - freeAttempts, 20), maxBlockMs);

const isFailing = ({ failures }: LoginFailures): boolean => failures >= freeAttempts;

interface Claim {
  subject: string;
  until: number;
}

/** After the free attempts, one attempt per block: also if several servers check at the same time. */
async function claimIfFailing(service: Service, place: string, before: LoginFailures): Promise<Claim | null> {
  if (!isFailing(before)) return null;
  const now = service.clock.now();
  const blockMs = blockAfter(before.failures + 1);
  const claim = { subject: place, until: now + blockMs };
  if (!(await claimAttempt(service.database.query, { ...claim, now }))) throw tooManyAttempts(blockMs);
  return claim;
}

/** The secret was right, and the caller is asked for a code: otherwise each sign-in in two steps would extend its own block. */
const isNoGuess = (error: unknown): boolean => error instanceof Failure && error.kind === 'mfa_required';

/** Keeps the failures from before: the caller has not signed in. */
async function undo(service: Service, claim: Claim | null, turn: Turn | null): Promise<void> {
  const now = service.clock.now();
  if (claim) await returnClaim(service.database.query, { ...claim, now });
  if (turn) await giveBack(service, turn);
}

/** Stored in the database, so it applies to all servers and survives restarts. */
async function recordLoginFailure(service: Service, place: string, before: LoginFailures): Promise<void> {
  if (isFailing(before)) return; // counted when it was claimed
  const { query } = service.database;
  const now = service.clock.now();
  const failures = await countLoginFailure(query, place, now);
  if (failures >= freeAttempts) await blockLogin(query, place, now + blockAfter(failures));
  // Digests are uniform: one in 16 new rows trims the table, which keeps each failure cheap.
  if (failures === 1 && place.startsWith('0'))
    await trimLoginFailures(query, { now, before: now - failuresKeptMs, max: maxRows });
}
