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

/** What a caller may attach to a write. */
export interface WriteConditions {
  /** The same key with the same request is the same write, however often it is sent. */
  idempotencyKey?: string | undefined;
  /** Tells one request from another. */
  fingerprint: string;
  /** The version the caller believes to be current. */
  ifMatch?: string | undefined;
}

export const unconditional: WriteConditions = { fingerprint: '' };

const answersKeptMs = 24 * 60 * 60_000;

/** Two requests with one key ran at once and the other was first; its answer is the answer. */
class KeyTaken extends Error {}

/** A key is its caller's own: another's with the same words is another key. */
const storedKey = (actor: Actor, key: string): string => {
  const who = actor.kind === 'user' ? actor.userId : nameOf(actor);
  return digest(JSON.stringify([actor.kind, who, key]));
};

async function findAnswer(
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
      description: 'Use a new key for every new request; repeat a key only with the very same request.',
    });
  return { value: kept.result };
}

/** Runs a write once for its key: a repeat gets the first one's answer, also after a crash and on another server. */
export async function answerOnce<T>(
  service: Service,
  actor: Actor,
  conditions: WriteConditions,
  write: () => Promise<T>,
): Promise<T> {
  const before = await findAnswer(service, actor, conditions);
  if (before) return before.value as T;
  try {
    return await write();
  } catch (error) {
    // Whatever stopped this one: when its twin was done meanwhile, the twin's answer is the answer.
    const meanwhile = await findAnswer(service, actor, conditions);
    if (meanwhile) return meanwhile.value as T;
    throw error;
  }
}

/** Keeps the answer in the write's own transaction: either both happened or neither. */
export async function rememberAnswer(
  service: Service,
  query: Query,
  actor: Actor,
  conditions: WriteConditions,
  answer: unknown,
): Promise<void> {
  const { idempotencyKey, fingerprint } = conditions;
  if (idempotencyKey === undefined) return;
  const now = service.clock.now();
  await deleteOldResponses(query, now - answersKeptMs);
  const kept = { fingerprint, result: answer, now };
  if (
    !(await storeResponse(query, { accountId: actor.accountId, key: storedKey(actor, idempotencyKey) }, kept))
  )
    throw new KeyTaken();
}

/** Refuses a change that was made for an older version than the current one. */
export function refuseStale(current: { desired_version: string }, { ifMatch }: WriteConditions): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === current.desired_version) return;
  throw new Failure(
    'precondition_failed',
    `The current version is ${current.desired_version}, not ${ifMatch}`,
    {
      description: 'Somebody changed the stack meanwhile. Read it again, and decide anew.',
    },
  );
}
