import { isDeleted, type StackStatus } from '../../../model/status.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import { type Actor, actorBehind } from '../../access/access.ts';
import { mayOnStack } from '../../access/permission.ts';
import type { Service } from '../../service.ts';
import { findVisible } from './describe-stack.ts';

/** A notification may be missed: look at least this often, and show that the line is alive. */
const heartbeatMs = 5_000;
const eventsPerRead = 500;
/** Then the caller comes again, with a token that is still good, and goes on where it was. */
const longestMs = 15 * 60_000;

const isLast = (event: EventRow): boolean =>
  event.kind === 'status' && isDeleted(event.status as StackStatus);

/**
 * A stack's events from just after the given one, as they come: a batch at a time, an empty one as a sign of life.
 * Ends when the stack is gone or the signal says so.
 */
export async function followEvents(
  service: Service,
  actor: Actor,
  stackId: string,
  from: { after: number; signal: AbortSignal; language: StackRow['language'] },
): Promise<AsyncGenerator<EventRow[]>> {
  const stack = await findVisible(service, actor, stackId, from.language);
  return batches(service, actor, stack.id, from);
}

/** A token that ended, a user who is gone, a role that changed: the stream ends with it. */
async function stillMay(service: Service, actor: Actor, stackId: string): Promise<boolean> {
  if (actor.kind === 'stack' || actor.tokenHash === undefined) return true;
  const now = await actorBehind(service, actor.tokenHash);
  return now !== null && mayOnStack(service.database.query, now, 'stack:describeStack', stackId);
}

async function* batches(
  service: Service,
  actor: Actor,
  stackId: string,
  { after: from, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<EventRow[]> {
  const end = service.clock.now() + longestMs;
  let after = from;
  let rung = false;
  let ring = () => {};
  const unsubscribe = service.database.listen('stack-event', (id) => {
    if (id !== stackId) return;
    rung = true;
    ring();
  });
  const stop = () => ring();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted && service.clock.now() < end && (await stillMay(service, actor, stackId))) {
      rung = false;
      const events = await listEvents(service.database.query, stackId, { after, limit: eventsPerRead });
      after = events.at(-1)?.number ?? after;
      yield events;
      if (events.some(isLast)) return;
      if (events.length === 0 && !rung && !signal.aborted)
        await new Promise<void>((resolve) => {
          const cancel = service.clock.after(heartbeatMs, resolve);
          ring = () => {
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
