import { defaultVendor } from '../../contract/defaults.ts';
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
import type { Handlers } from '../http/binding.ts';
import { eventHandlers } from '../shared/event-handlers.ts';
import { decodeCursor, oneMore, pageOf } from '../shared/page-cursor.ts';
import { presentDeletedData } from '../shared/present-deleted-data.ts';
import { forView } from '../shared/present-stack.ts';
import { resourceHandlers } from '../shared/resource-handlers.ts';
import { writeConditions } from '../shared/write-conditions.ts';
import { presentListed, presentStack } from './present.ts';

type StackHandlers = Handlers<typeof contract.stackRoutes, Actor>;

export const stackHandlers = (service: Service): StackHandlers => ({
  ...readHandlers(service),
  ...writeHandlers(service),
  ...eventHandlers(service, 'v2'),
  ...resourceHandlers(service, 'v2'),
  deployCode: async (input) => {
    const { actor, params, body } = input;
    const conditions = writeConditions(contract.deployCode, input);
    await runIdempotent(service, actor, {
      conditions,
      write: () => deployCode(service, actor, { stackId: params.stack_id, fields: body, conditions }),
    });
    return { status: 'success' };
  },
});

const readHandlers = (service: Service): Pick<StackHandlers, 'listStacks' | 'describeStack'> => ({
  listStacks: async ({ actor, query, setHeader }) => {
    const { limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await describeV2Stacks(service, actor, { limit: oneMore(limit), after });
    const request = { path: contract.listV2Stacks.path, query, limit, setHeader };
    return pageOf(found, request, ({ stack }) => stack).map(presentListed);
  },
  describeStack: async ({ actor, params, query }) => [
    forView(query.view, presentStack(await describeV2Stack(service, actor, params.stack_id))),
  ],
});

const writeHandlers = (
  service: Service,
): Pick<StackHandlers, 'createStack' | 'updateStack' | 'deleteStack'> => ({
  createStack: async (input) => {
    const { actor, body } = input;
    const { vendor, cred, region, configurations } = body;
    const request = { vendor: vendor || defaultVendor, credentialId: cred, region, configurations };
    const conditions = writeConditions(contract.createV2Stack, input);
    const { stackId } = await runIdempotent(service, actor, {
      conditions,
      write: () => applyConfiguration(service, actor, { ...request, conditions }),
    });
    return { stack_id: stackId, status: 'CREATE_IN_PROGRESS' as const };
  },
  updateStack: async (input) => {
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
  },
  deleteStack: async (input) => {
    const { actor, params } = input;
    const conditions = writeConditions(contract.deleteV2Stack, input);
    const deletion = await runIdempotent(service, actor, {
      conditions,
      write: () => deleteStack(service, actor, { stackId: params.stack_id, language: 'v2', conditions }),
    });
    return { status: 'DELETE_IN_PROGRESS' as const, ...presentDeletedData(deletion) };
  },
});
