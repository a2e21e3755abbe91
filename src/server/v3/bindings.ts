import * as access from '../../contract/v3/access.ts';
import * as sandbox from '../../contract/v3/sandbox.ts';
import * as stacks from '../../contract/v3/stacks.ts';
import * as templates from '../../contract/v3/templates.ts';
import type { Actor } from '../../operations/access.ts';
import { applyTemplate, updateTemplate } from '../../operations/apply-template.ts';
import { deleteStack } from '../../operations/delete-stack.ts';
import { describeStack, describeStacks, readEvents } from '../../operations/describe-stack.ts';
import { injectFault } from '../../operations/inject-fault.ts';
import type { Service } from '../../operations/service.ts';
import { issueToken, revokeToken } from '../../operations/tokens.ts';
import { type Binding, bindFor, noBody } from '../binding.ts';
import { decodeCursor, encodeCursor } from '../page-cursor.ts';
import { readTokenRequest } from '../token-request.ts';
import { readFault } from './fault.ts';
import { presentEvent, presentListed, presentStack, presentSubmitted } from './present.ts';
import { readTemplateBody } from './template-body.ts';

const bind = bindFor<Actor>();
const eventsPerPage = 1000;

export const v3Bindings = (service: Service): Binding<Actor>[] => [
  ...accessBindings(service),
  ...templateBindings(service),
  ...stackBindings(service),
  bind(sandbox.injectFault, async ({ actor, body }) => {
    const { target, fault } = readFault(body);
    return { status: 'success', message: await injectFault(service, actor, target, fault) };
  }),
];

const accessBindings = (service: Service): Binding<Actor>[] => [
  bind(access.issueToken, (input) => issueToken(service, readTokenRequest('v3', input))),
  bind(access.revokeToken, async (input) => {
    await revokeToken(service, readTokenRequest('v3', input), input.body.token);
    return noBody;
  }),
];

const templateBindings = (service: Service): Binding<Actor>[] => [
  bind(templates.applyTemplate, async ({ actor, query, body }) => {
    const submitted = await applyTemplate(service, actor, readTemplateBody(body), query.nickname);
    return presentSubmitted('CREATE_IN_PROGRESS', submitted);
  }),
  bind(templates.updateTemplate, async ({ actor, params, body }) => {
    const submitted = await updateTemplate(service, actor, params.stack_id, readTemplateBody(body));
    return presentSubmitted('UPDATE_IN_PROGRESS', submitted);
  }),
];

const stackBindings = (service: Service): Binding<Actor>[] => [
  bind(stacks.listStacks, async ({ actor, query, setHeader }) => {
    const { limit, cursor, status, vendor, nickname } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await describeStacks(service, actor, {
      language: 'v3',
      limit,
      after,
      status,
      vendor,
      nickname,
    });
    const last = found.at(-1);
    if (last && found.length === limit) {
      const next = encodeCursor({ createdAt: last.createdAt, id: last.id });
      const page = new URLSearchParams({ ...asText(query), cursor: next });
      setHeader('x-next-cursor', next);
      setHeader('link', `</v3/alm/stack?${page}>; rel="next"`);
    }
    return found.map(presentListed);
  }),
  bind(stacks.describeStack, async ({ actor, params }) =>
    presentStack(await describeStack(service, actor, params.stack_id, 'v3')),
  ),
  bind(stacks.deleteStack, async ({ actor, params }) => {
    await deleteStack(service, actor, params.stack_id, 'v3');
    return { status: 'DELETE_IN_PROGRESS' as const, stack_id: params.stack_id };
  }),
  bind(stacks.listEvents, async ({ actor, params, query }) => {
    const page = { after: query.after ?? 0, limit: query.limit ?? eventsPerPage };
    return (await readEvents(service, actor, params.stack_id, page)).map(presentEvent);
  }),
];

const asText = (query: Record<string, string | number | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
