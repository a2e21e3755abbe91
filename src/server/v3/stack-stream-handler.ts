import type { stackRoutes } from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { followStacks } from '../../operations/stacks/read/follow-stacks.ts';
import type { Handlers } from '../http/binding.ts';
import { cachedText, replyWithEvents } from '../shared/event-stream.ts';
import { presentSummary } from './present/summary.ts';

type Change = Parameters<Parameters<typeof followStacks>[2]['follower']['take']>[0][number];

const eventText = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The id comes with the heartbeat that follows changes: with it, a client has them all. */
const textOf = cachedText((change: Change): string => {
  switch (change.kind) {
    case 'stack':
      return eventText('stack', presentSummary(change.stack));
    case 'deleted':
      return eventText('deleted', { stack_id: change.stackId });
    case 'alive':
      return `: heartbeat\nid: ${change.cursor}\n${eventText('alive', { cursor: change.cursor })}`;
  }
});

type StreamHandlers = Pick<Handlers<typeof stackRoutes, Actor>, 'followStacks'>;

export const stackStreamHandlers = (service: Service): StreamHandlers => ({
  followStacks: async ({ actor, query, headers }) => {
    const after = headers['last-event-id'] || query.after;
    return replyWithEvents(textOf, (follower) => followStacks(service, actor, { after, follower }));
  },
});
