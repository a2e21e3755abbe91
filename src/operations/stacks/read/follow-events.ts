import type { Actor } from '../../access/access.ts';
import type { StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { findVisible } from './describe-stack.ts';
import type { OpenStream } from './event-feed.ts';
import { streamsOf } from './open-streams.ts';
import type { Follower } from './stack-feed.ts';

export interface EventSubscription extends StackReference {
  /** Number of the last event already read. */
  after: number;
  follower: Follower;
}

/**
 * Streams a stack's events as they happen, with heartbeats in between. Ends when the stack is deleted, when the actor may no
 * longer see it, or when the follower closes it.
 */
export async function followEvents(
  service: Service,
  actor: Actor,
  { stackId, language, after, follower }: EventSubscription,
): Promise<OpenStream> {
  await findVisible(service, actor, { stackId, language });
  const { events, slots } = streamsOf(service);
  return events.open({ stackId, after, actor, follower, onClose: await slots.take(actor) });
}
