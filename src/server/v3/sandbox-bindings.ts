import * as sandbox from '../../contract/v3/sandbox.ts';
import type { Actor } from '../../operations/access/access.ts';
import type { Service } from '../../operations/service.ts';
import { injectFault } from '../../operations/stacks/change/inject-fault.ts';
import { type Binding, bindFor } from '../http/binding.ts';
import { readFault } from './input/fault.ts';

const bind = bindFor<Actor>();

export const sandboxBindings = (service: Service): Binding<Actor>[] => [
  bind(sandbox.injectFault, async ({ actor, body }) => {
    return { status: 'success', message: await injectFault(service, actor, readFault(body)) };
  }),
];
