import { Failure } from '../../../basics/failure.ts';
import type { Query } from '../../../store/database/database.ts';
import {
  deleteOldResponses,
  findStoredResponse,
  storeResponse,
} from '../../../store/stacks/idempotency-keys.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { digest } from '../../access/secret-hash.ts';
import type { Service } from '../../service.ts';
import type { DataWord } from './guard-data.ts';

/** Conditions a caller may attach to a write. */
export interface WriteConditions extends DataWord {
  /** Requests with the same key and the same content are one write, however often they are sent. */
  idempotencyKey?: string | undefined;
  /** Identifies the content of the request. */
  fingerprint: string;
  /** Version the caller expects to be current. */
  ifMatch?: string | undefined;
}

export const unconditional: WriteConditions = { fingerprint: '' };

const resultsKeptMs = 24 * 60 * 60_000;

/** A concurrent request with the same key was first; its result is the result of both. */
class KeyAlreadyUsed extends Error {}

/** Keys belong to their caller: the same text from two callers is two keys. */
const storedKey = (actor: Actor, key: string): string => {
  const name = actor.kind === 'user' ? actor.userId : nameOf(actor);
  return digest(JSON.stringify([actor.kind, name, key]));
};

async function findResult(
  service: Service,
  actor: Actor,
  conditions: WriteConditions,
): Promise<{ value: unknown } | null> {
  if (conditions.idempotencyKey === undefined) return null;
  const kept = await findStoredResponse(
    service.database.query,
    actor.accountId,
    storedKey(actor, conditions.idempotencyKey),
  );
  if (!kept) return null;
  if (kept.fingerprint !== conditions.fingerprint)
    throw new Failure('conflict', 'This Idempotency-Key was already used for another request', {
      description: 'Use a new key for every new request; reuse a key only to repeat the same request.',
    });
  return { value: kept.result };
}

/** Runs a write once per idempotency key: a repeat gets the first result, even after a crash and on another server. */
export async function runIdempotent<T>(
  service: Service,
  actor: Actor,
  { conditions, write }: { conditions: WriteConditions; write: () => Promise<T> },
): Promise<T> {
  const before = await findResult(service, actor, conditions);
  if (before) return before.value as T;
  try {
    return await write();
  } catch (error) {
    // Whatever the error: if a concurrent request with the same key succeeded, its result counts.
    const concurrent = await findResult(service, actor, conditions);
    if (concurrent) return concurrent.value as T;
    throw error;
  }
}

/** Stores the result of a write in the transaction of the write: either both happen or neither. */
export async function rememberResult(
  service: Service,
  query: Query,
  { actor, conditions, result }: { actor: Actor; conditions: WriteConditions; result: unknown },
): Promise<void> {
  const { idempotencyKey, fingerprint } = conditions;
  if (idempotencyKey === undefined) return;
  const now = service.clock.now();
  await deleteOldResponses(query, now - resultsKeptMs);
  const key = { accountId: actor.accountId, key: storedKey(actor, idempotencyKey) };
  if (!(await storeResponse(query, key, { fingerprint, result, now }))) throw new KeyAlreadyUsed();
}

/** Refuses a change that was made for an older version than the current one. */
export function refuseStale(current: { desired_version: string }, { ifMatch }: WriteConditions): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === current.desired_version) return;
  throw new Failure(
    'precondition_failed',
    `The current version is ${current.desired_version}, not ${ifMatch}`,
    { description: 'The stack was changed by another request. Read it again before you update it.' },
  );
}
