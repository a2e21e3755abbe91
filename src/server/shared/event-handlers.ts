import type { stackRoutes } from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { readEvents } from '../../operations/stacks/read/describe-stack.ts';
import { estimateStack } from '../../operations/stacks/read/estimate.ts';
import { followEvents } from '../../operations/stacks/read/follow-events.ts';
import type { Handlers } from '../http/binding.ts';
import { cachedText, replyWithEvents } from './event-stream.ts';
import { presentEstimate, presentEvent } from './present-stack.ts';

type StackHandlers = Handlers<typeof stackRoutes, Actor>;
type EventHandlers = Pick<StackHandlers, 'listStackEvents' | 'followStackEvents' | 'estimateStack'>;

const eventsPerPage = 1000;

/** Each event has its id, so that a client can resume after a lost connection. */
const textOf = cachedText(
  (event: Parameters<typeof presentEvent>[0]) =>
    `id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`,
);

/** Events and estimates in both API versions, each for its own stacks. */
export const eventHandlers = (service: Service, language: 'v2' | 'v3'): EventHandlers => ({
  listStackEvents: async ({ actor, params, query }) => {
    const page = { after: query.after ?? 0, limit: query.limit ?? eventsPerPage };
    const events = await readEvents(service, actor, { stackId: params.stack_id, language, ...page });
    return events.map(presentEvent);
  },
  followStackEvents: async ({ actor, params, query, headers }) => {
    const lastId = headers['last-event-id'] ?? '';
    // The server sends numeric ids only; ignore anything else.
    const after = /^\d{1,15}$/.test(lastId) ? Number(lastId) : (query.after ?? 0);
    const request = { stackId: params.stack_id, language, after };
    return replyWithEvents(textOf, (follower) => followEvents(service, actor, { ...request, follower }));
  },
  estimateStack: async ({ actor, params, query }) => {
    const request = { stackId: params.stack_id, language, operation: query.operation };
    return presentEstimate(await estimateStack(service, actor, request));
  },
});
