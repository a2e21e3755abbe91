import * as stacks from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access.ts';
import type { Service } from '../../operations/service.ts';
import { deleteStack } from '../../operations/delete-stack.ts';
import { describeStack, describeStacks, readEvents } from '../../operations/describe-stack.ts';
import { estimateStack } from '../../operations/estimate.ts';
import { followEvents } from '../../operations/follow-events.ts';
import { answerOnce } from '../../operations/write-conditions.ts';
import { type Binding, bindFor } from '../binding.ts';
import { decodeCursor, oneMore, pageOf } from '../page-cursor.ts';
import { writeConditions } from '../write-conditions.ts';
import { eventStream } from './event-stream.ts';
import { presentEstimate, presentEvent, presentListed, presentStack } from './present.ts';

const bind = bindFor<Actor>();
const eventsPerPage = 1000;

export const stackBindings = (service: Service): Binding<Actor>[] => [
  bind(stacks.listStacks, async ({ actor, query, setHeader }) => {
    const { limit, cursor, status, vendor, nickname } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const filter = { language: 'v3', limit: oneMore(limit), after, status, vendor, nickname } as const;
    const found = await describeStacks(service, actor, filter);
    return pageOf(found, { path: stacks.listStacks.path, query, limit, setHeader }, (stack) => stack).map(
      presentListed,
    );
  }),
  bind(stacks.describeStack, async ({ actor, params }) =>
    presentStack(
      await describeStack(service, actor, params.stack_id, 'v3'),
      service.settings.instancesByFlag,
    ),
  ),
  bind(stacks.deleteStack, async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(stacks.deleteStack, input);
    const { stackId } = await answerOnce(service, actor, conditions, () =>
      deleteStack(service, actor, params.stack_id, 'v3', conditions),
    );
    return { status: 'DELETE_IN_PROGRESS' as const, stack_id: stackId };
  }),
  ...eventBindings(service),
];

const eventBindings = (service: Service): Binding<Actor>[] => [
  bind(stacks.listEvents, async ({ actor, params, query }) => {
    const page = { after: query.after ?? 0, limit: query.limit ?? eventsPerPage };
    return (await readEvents(service, actor, params.stack_id, page)).map(presentEvent);
  }),
  bind(stacks.followEvents, async ({ actor, params, query, headers }) => {
    const after = Number(headers['last-event-id'] ?? query.after ?? 0);
    const hungUp = new AbortController();
    const signal = AbortSignal.any([hungUp.signal, service.stopping]);
    const batches = await followEvents(service, actor, params.stack_id, { after: after || 0, signal });
    return eventStream(batches, () => hungUp.abort());
  }),
  bind(stacks.estimateStack, async ({ actor, params, query }) =>
    presentEstimate(await estimateStack(service, actor, params.stack_id, query.operation)),
  ),
];
