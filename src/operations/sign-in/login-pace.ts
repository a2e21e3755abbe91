import { Failure } from '../../basics/failure.ts';
import { readKnownPlace, saveKnownPlace } from '../../store/access/known-places.ts';
import { reserveTurn, returnTurn } from '../../store/access/login-failures.ts';
import type { Service } from '../service.ts';

/** How many attempts all unknown callers together get: a burst, then one per `everyMs`. */
export interface Pace {
  burst: number;
  everyMs: number;
  /** Longest wait of one attempt. */
  maxDelayMs: number;
  /** What happens to attempts that would have to wait longer. */
  beyond: 'check' | 'refuse';
}

/**
 * Never refuses: otherwise strangers with many addresses could keep a user out. Their number of guesses is limited by the block of
 * each address.
 */
export const passwordPace: Pace = { burst: 100, everyMs: 3_000, maxDelayMs: 15_000, beyond: 'check' };

/** Refuses: a code has six digits only, and who guesses it knows the password already. */
export const codePace: Pace = { burst: 20, everyMs: 60_000, maxDelayMs: 0, beyond: 'refuse' };

const dayMs = 24 * 60 * 60_000;
const placeKeptMs = 30 * dayMs;
const maxPlaces = 50;

interface Caller {
  /** Digest of the subject. */
  everywhere: string;
  /** Digest of the subject and the caller's address. */
  place: string;
  pace: Pace;
}

export interface Turn extends Caller {
  /** When the subject last signed in from there; 0: never. */
  knownSince: number;
  waitMs: number;
}

/**
 * Reserves the caller's next turn. A place from which the subject signed in recently needs none: others cannot slow it down. Turns are
 * reserved before the check, in the database, so that neither parallel requests nor several servers give more of them.
 */
export async function takeTurn(service: Service, caller: Caller): Promise<Turn> {
  const { database, clock } = service;
  const { everywhere: subject, place, pace } = caller;
  const now = clock.now();
  const knownSince = await readKnownPlace(database.query, subject, place);
  if (knownSince >= now - placeKeptMs) return { ...caller, knownSince, waitMs: 0 };
  const burstMs = pace.burst * pace.everyMs;
  const latest = now + burstMs + pace.maxDelayMs - pace.everyMs;
  const usedUntil = await reserveTurn(database.query, { subject, now, everyMs: pace.everyMs, latest });
  if (usedUntil !== undefined)
    return { ...caller, knownSince: 0, waitMs: Math.max(0, usedUntil - burstMs - now) };
  if (pace.beyond === 'refuse') throw tooManyCallers(pace);
  return { ...caller, knownSince: 0, waitMs: pace.maxDelayMs };
}

const tooManyCallers = ({ everyMs }: Pace): Failure => {
  const retryAfter = Math.ceil(everyMs / 1000);
  return new Failure('too_many_requests', `Too many failed attempts; try again in ${retryAfter} s`, {
    description:
      'Many addresses try to sign in. An address from which you signed in recently is not affected.',
    retryAfter,
  });
};

/** For an attempt that did not guess. */
export async function giveBack(service: Service, { everywhere, pace, knownSince }: Turn): Promise<void> {
  if (knownSince === 0) await returnTurn(service.database.query, everywhere, pace.everyMs);
}

/** After a correct secret: returns the turn, and remembers the place. */
export async function notePlace(service: Service, turn: Turn): Promise<void> {
  const { everywhere, place, knownSince } = turn;
  const { query } = service.database;
  const now = service.clock.now();
  await giveBack(service, turn);
  if (knownSince > now - dayMs) return;
  const limits = { before: now - placeKeptMs, max: maxPlaces };
  await saveKnownPlace(query, { subject: everywhere, place, now }, limits);
}
