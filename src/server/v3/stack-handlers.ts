import * as stacks from '../../contract/v3/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { deleteStack } from '../../operations/stacks/change/delete-stack.ts';
import { describeStack, describeStacks } from '../../operations/stacks/read/describe-stack.ts';
import { summarizeStacks } from '../../operations/stacks/read/summarize-stacks.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import type { Handlers } from '../http/binding.ts';
import { jsonList } from '../http/send/json-text.ts';
import { eventHandlers } from '../shared/event-handlers.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';
import { presentDeletedData } from '../shared/present-deleted-data.ts';
import { forView, listedText, presentStack, textOfStack } from '../shared/present-stack.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { summaryText } from './present/summary.ts';
import { stackStreamHandlers } from './stack-stream-handler.ts';

export const stackHandlers = (service: Service): Handlers<typeof stacks.stackRoutes, Actor> => ({
  listStacks: async ({ actor, query, setHeader }) => {
    const { view, limit, cursor, status, vendor, nickname } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const filter = { limit: oneMore(limit), after, status, vendor, nickname };
    const request = { path: stacks.listStacks.path, query, limit, setHeader };
    if (view !== 'summary') {
      const found = await describeStacks(service, actor, { language: 'v3', ...filter });
      return jsonList(pageOf(found, request, (stack) => stack).map(listedText));
    }
    const list = await summarizeStacks(service, actor, filter);
    setHeader('alm-cursor', list.cursor);
    const page = pageOf(list.stacks, request, ({ created_at: createdAt, id }) => ({ createdAt, id }));
    return jsonList(page.map(summaryText));
  },
  describeStack: async ({ actor, params, query }) => {
    const found = await describeStack(service, actor, { stackId: params.stack_id, language: 'v3' });
    const { instancesByFlag } = service.settings;
    if (query.view === undefined) return textOfStack(found, instancesByFlag);
    return forView(query.view, presentStack(found, instancesByFlag));
  },
  deleteStack: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(stacks.deleteStack, input);
    const deletion = await runIdempotent(service, actor, {
      conditions,
      write: () => deleteStack(service, actor, { stackId: params.stack_id, language: 'v3', conditions }),
    });
    return {
      status: 'DELETE_IN_PROGRESS' as const,
      stack_id: deletion.stackId,
      ...presentDeletedData(deletion),
    };
  },
  ...eventHandlers(service, 'v3'),
  ...stackStreamHandlers(service),
});
