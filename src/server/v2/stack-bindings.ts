import * as contract from '../../contract/v2/stacks.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { deleteStack } from '../../operations/stacks/change/delete-stack.ts';
import { deployCode } from '../../operations/stacks/change/server-config.ts';
import { describeV2Stack, describeV2Stacks } from '../../operations/stacks/read/describe-v2-stack.ts';
import {
  applyConfiguration,
  updateConfiguration,
} from '../../operations/stacks/submit/apply-configuration.ts';
import { runIdempotent } from '../../operations/stacks/submit/write-conditions.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { answerEstimate, answerEventStream, answerEvents } from '../shared/event-requests.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { presentListed, presentStack } from './present.ts';

const bind = bindFor<Actor>();
const defaultVendor = 'aws';

export const stackBindings = (service: Service): Binding<Actor>[] => [
  ...readingBindings(service),
  ...writingBindings(service),
  bind(contract.deployCode, async (input) => {
    const { actor, params, body } = input;
    const conditions = writeConditions(contract.deployCode, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () => deployCode(service, actor, { stackId: params.stack_id, fields: body, conditions }),
    });
    return { status: 'success' };
  }),
];

const readingBindings = (service: Service): Binding<Actor>[] => [
  bind(contract.listV2Stacks, async ({ actor, query, setHeader }) => {
    const { limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await describeV2Stacks(service, actor, { limit: oneMore(limit), after });
    const request = { path: contract.listV2Stacks.path, query, limit, setHeader };
    return pageOf(found, request, ({ stack }) => stack).map(presentListed);
  }),
  bind(contract.describeV2Stack, async ({ actor, params }) => [
    presentStack(await describeV2Stack(service, actor, params.stack_id)),
  ]),
  bind(contract.listV2Events, (input) => answerEvents(service, 'v2', input)),
  bind(contract.followV2Events, (input) => answerEventStream(service, 'v2', input)),
  bind(contract.estimateV2Stack, (input) => answerEstimate(service, 'v2', input)),
];

const writingBindings = (service: Service): Binding<Actor>[] => [
  bind(contract.createV2Stack, async (input) => {
    const { actor, body } = input;
    const { vendor, cred, region, configurations } = body;
    const request = { vendor: vendor || defaultVendor, credentialId: cred, region, configurations };
    const conditions = writeConditions(contract.createV2Stack, input);
    const { stackId } = await runIdempotent(service, actor, {
      conditions,
      write: () => applyConfiguration(service, actor, { ...request, conditions }),
    });
    return { stack_id: stackId, status: 'CREATE_IN_PROGRESS' as const };
  }),
  bind(contract.updateV2Stack, async (input) => {
    const { actor, params, body } = input;
    const conditions = writeConditions(contract.updateV2Stack, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () =>
        updateConfiguration(service, actor, {
          stackId: params.stack_id,
          configurations: body.configurations,
          conditions,
        }),
    });
    return { status: 'UPDATE_IN_PROGRESS' as const };
  }),
  bind(contract.deleteV2Stack, async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(contract.deleteV2Stack, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () => deleteStack(service, actor, { stackId: params.stack_id, language: 'v2', conditions }),
    });
    return { status: 'DELETE_IN_PROGRESS' as const };
  }),
];
