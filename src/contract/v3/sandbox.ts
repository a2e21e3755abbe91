import { Type } from 'typebox';
import { route } from '../route.ts';

const kinds = ['fail_resource', 'unreachable', 'spot_notice', 'share_resource', 'clear'] as const;

export const injectFault = route({
  name: 'v3InjectSandboxFault',
  method: 'POST',
  path: '/v3/sandbox/fault',
  access: 'master',
  summary: 'Make the sandbox vendor misbehave',
  description:
    'For rehearsing failures in the simulated cloud. On the docker vendor, `spot_notice` is given to a real instance.',
  tag: 'Sandbox',
  bodyKind: 'fields',
  body: Type.Object({
    kind: Type.Unsafe<(typeof kinds)[number]>(Type.String({ enum: [...kinds], description: 'Which fault.' })),
    stack_id: Type.Optional(Type.String()),
    vendor: Type.Optional(Type.String({ description: 'Without a stack: whose credential. Default `aws`.' })),
    cred: Type.Optional(
      Type.String({ description: 'Without a stack: which credential. Default `SANDBOX`.' }),
    ),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Which resource fails, counted from 1 in the order they are made.',
      }),
    ),
    seconds: Type.Optional(Type.Number({ minimum: 0, description: 'How long it lasts.' })),
    instance_id: Type.Optional(Type.String()),
    resource: Type.Optional(Type.String()),
    with_stack: Type.Optional(Type.String({ description: 'The stack a resource is shared with.' })),
    reason: Type.Optional(Type.String({ description: 'The sentence the vendor will give.' })),
  }),
  replies: {
    200: {
      description: 'The fault is set.',
      schema: Type.Object({ status: Type.String(), message: Type.String() }),
    },
  },
});

export const sandboxRoutes = [injectFault];
