import * as stacks from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access.ts';
import type { Service } from '../../operations/service.ts';
import { deleteStack } from '../../operations/delete-stack.ts';
import { describeStack, describeStacks, readEvents } from '../../operations/describe-stack.ts';
import { estimateStack } from '../../operations/estimate.ts';
import { followEvents } from '../../operations/follow-events.ts';
import { answerOnce } from '../../operations/write-conditions.ts';
import { type Binding, bindFor } from '../binding.ts';
import { decodeCursor, encodeCursor } from '../page-cursor.ts';
import { writeConditions } from '../write-conditions.ts';
import { eventStream } from './event-stream.ts';
import { presentEstimate, presentEvent, presentListed, presentStack } from './present.ts';

const bind = bindFor<Actor>();
const eventsPerPage = 1000;

export const stackBindings = (service: Service): Binding<Actor>[] => [
  bind(stacks.listStacks, async ({ actor, query, setHeader }) => {
    const { limit, cursor, status, vendor, nickname } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await describeStacks(service, actor, {
      language: 'v3',
      limit: limit && limit + 1, // one more tells whether there is a next page
      after,
      status,
      vendor,
      nickname,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    if (last && page.length < found.length) {
      const next = encodeCursor({ createdAt: last.createdAt, id: last.id });
      const address = new URLSearchParams({ ...asText(query), cursor: next });
      setHeader('x-next-cursor', next);
      setHeader('link', `</v3/alm/stack?${address.toString()}>; rel="next"`);
    }
    return page.map(presentListed);
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

const asText = (query: Record<string, string | number | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
