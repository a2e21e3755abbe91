import type { stackRoutes } from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { readEvents } from '../../operations/stacks/read/describe-stack.ts';
import { estimateStack } from '../../operations/stacks/read/estimate.ts';
import { followEvents } from '../../operations/stacks/read/follow-events.ts';
import type { Handlers } from '../http/binding.ts';
import { replyWithEvents } from './event-stream.ts';
import { presentEstimate, presentEvent } from './present-stack.ts';

type StackHandlers = Handlers<typeof stackRoutes, Actor>;
type EventHandlers = Pick<StackHandlers, 'listStackEvents' | 'followStackEvents' | 'estimateStack'>;

const eventsPerPage = 1000;

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
    return replyWithEvents((follower) => followEvents(service, actor, { ...request, follower }));
  },
  estimateStack: async ({ actor, params, query }) => {
    const request = { stackId: params.stack_id, language, operation: query.operation };
    return presentEstimate(await estimateStack(service, actor, request));
  },
});
