import { Type } from 'typebox';
import { type AppFault, appFaults } from '../../model/app-fault.ts';
import { defaultVendor, sandboxCredential } from '../defaults.ts';
import { route } from '../route.ts';

const kinds = ['fail_resource', 'unreachable', 'spot_notice', 'share_resource', 'fail_app', 'clear'] as const;

const mode = Type.Optional(
  Type.Unsafe<AppFault>(
    Type.String({ enum: [...appFaults], description: 'Of `fail_app`: how the application fails.' }),
  ),
);
const image = Type.Optional(
  Type.String({
    maxLength: 255,
    description: 'Of `fail_app`: only containers whose image contains this text. Default: all.',
  }),
);

const placeFields = {
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
};

const keptKinds = ['fail_resource', 'unreachable', 'share_resource', 'fail_app'] as const;

export const faultInForce = Type.Object(
  {
    kind: Type.Unsafe<(typeof keptKinds)[number]>(Type.String({ enum: [...keptKinds] })),
    stack_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null: the next stack that is applied (`fail_resource`), or all stacks (`unreachable`).',
    }),
    position: Type.Optional(
      Type.Integer({ description: 'Of `fail_resource`: the creation that fails, from 1.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Of `fail_resource`: what the vendor will say.' })),
    until: Type.Optional(Type.String({ description: 'Of `unreachable`: its end, ISO 8601 UTC.' })),
    resource: Type.Optional(Type.String({ description: 'Of `share_resource`: name of the resource.' })),
    with_stack: Type.Optional(Type.String({ description: 'Of `share_resource`: the other stack.' })),
    mode,
    image,
  },
  { $id: 'FaultInForce' },
);

export const listFaults = route({
  name: 'v3ListSandboxFaults',
  asksVendor: true,
  method: 'GET',
  path: '/v3/sandbox/fault',
  access: 'master',
  summary: 'List the faults in force',
  description:
    'Returns the injected faults that still wait or last: of the cloud account of a credential, or with `stack_id` those that ' +
    'can reach that stack. A `fail_resource` ends when it has happened, an `unreachable` at its time, all ' +
    'faults of a stack when it is deleted; `clear` ends all.',
  tag: 'Sandbox',
  query: Type.Object(placeFields),
  bodyKind: 'none',
  replies: { 200: { description: 'The faults.', schema: Type.Array(faultInForce) } },
  examples: {
    reply: [
      { kind: 'fail_resource', stack_id: null, position: 2, reason: 'The resource could not be created.' },
    ],
  },
});

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
    ...placeFields,
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
    mode,
    image,
  }),
  replies: {
    200: {
      description: 'The fault is injected.',
      schema: Type.Object({ status: Type.String(), message: Type.String() }),
    },
  },
});

export const sandboxRoutes = [listFaults, injectFault] as const;
