import { Type } from 'typebox';
import { defaultVendor, sandboxCredential } from '../defaults.ts';
import { route } from '../route.ts';

const kinds = ['fail_resource', 'unreachable', 'spot_notice', 'share_resource', 'clear'] as const;

export const injectFault = route({
  name: 'v3InjectSandboxFault',
  asksVendor: true,
  method: 'POST',
  path: '/v3/sandbox/fault',
  access: 'master',
  summary: 'Inject a fault',
  description:
    'Simulates a failure on the sandbox vendor. On the docker vendor, only `spot_notice` is supported; it is sent to a real instance.',
  tag: 'Sandbox',
  bodyKind: 'fields',
  body: Type.Object({
    kind: Type.Unsafe<(typeof kinds)[number]>(
      Type.String({ enum: [...kinds], description: 'Kind of fault.' }),
    ),
    stack_id: Type.Optional(Type.String()),
    vendor: Type.Optional(
      Type.String({
        description: `Vendor of the credential, if \`stack_id\` is not set. Default: \`${defaultVendor}\`.`,
      }),
    ),
    cred: Type.Optional(
      Type.String({
        description: `Credential id, if \`stack_id\` is not set. Default: \`${sandboxCredential}\`.`,
      }),
    ),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Position of the resource that fails, starting at 1, in order of creation.',
      }),
    ),
    seconds: Type.Optional(Type.Number({ minimum: 0, description: 'Duration of the fault.' })),
    instance_id: Type.Optional(Type.String()),
    resource: Type.Optional(Type.String()),
    with_stack: Type.Optional(Type.String({ description: 'Stack that shares the resource.' })),
    reason: Type.Optional(Type.String({ description: 'Error message of the simulated vendor.' })),
  }),
  replies: {
    200: {
      description: 'The fault is injected.',
      schema: Type.Object({ status: Type.String(), message: Type.String() }),
    },
  },
});

export const sandboxRoutes = [injectFault] as const;
