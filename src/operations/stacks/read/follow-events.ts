import type { Actor } from '../../access/access.ts';
import type { StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { findVisible } from './describe-stack.ts';
import { EventFeed, type OpenStream } from './event-feed.ts';
import type { Follower } from './stack-feed.ts';
import { StreamSlots } from './stream-slots.ts';

interface Streams {
  feed: EventFeed;
  slots: StreamSlots;
}

const streamsByService = new WeakMap<Service, Streams>();

const streamsOf = (service: Service): Streams => {
  const streams = streamsByService.get(service) ?? {
    feed: new EventFeed(service),
    slots: new StreamSlots(service),
  };
  streamsByService.set(service, streams);
  return streams;
};

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
  const { feed, slots } = streamsOf(service);
  return feed.open({ stackId, after, actor, follower, onClose: await slots.take(actor) });
}
