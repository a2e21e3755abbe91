import type * as sandbox from '../../contract/v3/sandbox.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { injectFault } from '../../operations/stacks/change/inject-fault.ts';
import type { Handlers } from '../http/binding.ts';
import { readFault } from './input/fault.ts';

export const sandboxHandlers = (service: Service): Handlers<typeof sandbox.sandboxRoutes, Actor> => ({
  injectSandboxFault: async ({ actor, body }) => {
    return { status: 'success', message: await injectFault(service, actor, readFault(body)) };
  },
});
