import type * as sandbox from '../../contract/v3/sandbox.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { injectFault, listFaults } from '../../operations/stacks/change/inject-fault.ts';
import type { Handlers } from '../http/binding.ts';
import { readFault, readPlace } from './input/fault.ts';
import { presentFault } from './present/fault.ts';

export const sandboxHandlers = (service: Service): Handlers<typeof sandbox.sandboxRoutes, Actor> => ({
  listSandboxFaults: async ({ actor, query }) =>
    (await listFaults(service, actor, readPlace(query))).map(presentFault),
  injectSandboxFault: async ({ actor, body }) => {
    return { status: 'success', message: await injectFault(service, actor, readFault(body)) };
  },
});
