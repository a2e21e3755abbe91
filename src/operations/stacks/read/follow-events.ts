import { isDeleted, type StackStatus } from '../../../model/status.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import { type Actor, actorBehind } from '../../access/access.ts';
import { mayOnStack } from '../../access/permission.ts';
import type { StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { findVisible } from './describe-stack.ts';

/** A notification may be missed: read at least this often, and keep the connection alive. */
const heartbeatMs = 5_000;
const eventsPerRead = 500;
/** After this time the client reconnects, with a valid token, and resumes. */
const maxStreamMs = 15 * 60_000;

const isLast = (event: EventRow): boolean =>
  event.kind === 'status' && isDeleted(event.status as StackStatus);

export interface EventSubscription extends StackReference {
  /** Number of the last event already read. */
  after: number;
  signal: AbortSignal;
}

/**
 * Streams a stack's events in batches as they happen; an empty batch is a heartbeat. Ends when the stack is deleted or the
 * signal aborts.
 */
export async function followEvents(
  service: Service,
  actor: Actor,
  subscription: EventSubscription,
): Promise<AsyncGenerator<EventRow[]>> {
  await findVisible(service, actor, subscription);
  return batches(service, actor, subscription);
}

/** Checks again whether the actor may follow: the token may have expired, the user or its roles may have changed. */
async function isStillAllowed(service: Service, actor: Actor, stackId: string): Promise<boolean> {
  if (actor.kind === 'stack' || actor.tokenHash === undefined) return true;
  const now = await actorBehind(service, actor.tokenHash);
  if (now === null) return false;
  return mayOnStack(service.database.query, now, { action: 'stack:describeStack', stackId });
}

async function* batches(
  service: Service,
  actor: Actor,
  { stackId, after: from, signal }: EventSubscription,
): AsyncGenerator<EventRow[]> {
  const end = service.clock.now() + maxStreamMs;
  let after = from;
  let isNotified = false;
  let wake = () => {};
  const unsubscribe = service.database.listen('stack-event', (id) => {
    if (id !== stackId) return;
    isNotified = true;
    wake();
  });
  const stop = () => wake();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted && service.clock.now() < end && (await isStillAllowed(service, actor, stackId))) {
      isNotified = false;
      const events = await listEvents(service.database.query, stackId, { after, limit: eventsPerRead });
      after = events.at(-1)?.number ?? after;
      yield events;
      if (events.some(isLast)) return;
      if (events.length === 0 && !isNotified && !signal.aborted)
        await new Promise<void>((resolve) => {
          const cancel = service.clock.after(heartbeatMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }
}
