import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import type { StackChange } from './account/known-stacks.ts';
import { momentOf, rightsOf } from './change-cursor.ts';
import type { OpenStream } from './event-feed.ts';
import { streamsOf } from './open-streams.ts';
import type { Follower } from './stack-feed.ts';

export interface StackSubscription {
  /** Cursor of what was already read; undefined: begin with all stacks. */
  after: string | undefined;
  follower: Follower<StackChange>;
}

/** Streams the changes of all stacks that the caller may see, with heartbeats in between. */
export async function followStacks(
  service: Service,
  actor: Actor,
  { after, follower }: StackSubscription,
): Promise<OpenStream> {
  const now = service.clock.now();
  const moment = after === undefined ? null : momentOf(after, { now, rights: rightsOf(actor) });
  const { stacks, slots } = streamsOf(service);
  return stacks.open({ actor, after: moment, follower, onClose: await slots.take(actor) });
}
