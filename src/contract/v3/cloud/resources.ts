import { Type } from 'typebox';
import {
  type Operation,
  operations,
  type ResourceKind,
  type ResourceStatus,
  resourceKinds,
  resourceStatuses,
} from '../../../model/status.ts';
import { route } from '../../route.ts';
import { stackParams, stackStatus } from '../schemas/stack.ts';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const resource = Type.Object(
  {
    name: Type.String({ description: 'As in `resource` of the events.' }),
    type: Type.String({ description: 'In the words of the vendor.' }),
    physical_id: orNull('Id at the vendor. Null if there is none yet, or if the vendor has not reported it.'),
    layer: orNull(
      'Flag of the layer. Null for what belongs to the whole stack, to a database or to a cache.',
    ),
    kind: Type.Unsafe<ResourceKind>(
      Type.String({ enum: [...resourceKinds], description: 'The same for all vendors.' }),
    ),
    status: Type.Unsafe<ResourceStatus>(
      Type.String({
        enum: [...resourceStatuses],
        description:
          '`waiting`: the running operation has not started with it. `creating`, `updating`, `deleting`: in progress. ' +
          '`complete`: ready. `failed`: the operation failed here; stays until the next request. `deleted`: no longer exists. ' +
          '`kept`: left at the vendor, outside the stack. `absent`: the failed operation never made it.',
      }),
    ),
    status_reason: Type.String({
      description: 'Message of the event that the status follows from. May be empty.',
    }),
    status_changed_at: orNull('ISO 8601 timestamp with a numeric offset. Null if no event says so.'),
    leaving: Type.Boolean({ description: 'The version in `version_id` no longer has it.' }),
    depends_on: Type.Array(Type.String(), { description: 'Names of other resources in the list, sorted.' }),
  },
  { $id: 'StackResource' },
);

const stackResources = Type.Object(
  {
    stack_id: Type.String(),
    stack_status: stackStatus,
    operation: Type.Unsafe<Operation>(
      Type.String({ enum: [...operations], description: 'The last request.' }),
    ),
    version_id: Type.String({ description: 'Version that the stack has or is about to have.' }),
    event_id: Type.Integer({
      description:
        'The last event of the stack. To follow changes from here, pass it as `after` to the event stream.',
    }),
    resources: Type.Array(resource),
  },
  { $id: 'StackResources' },
);

export const listResources = route({
  name: 'v3ListStackResources',
  compressed: true,
  asksVendor: true,
  method: 'GET',
  path: '/v3/alm/stack/{stack_id}/resources',
  access: { action: 'stack:describeStack' },
  summary: 'List the resources of a stack',
  description:
    'Returns every resource of the current version with its dependencies and its status. During an update, and after one ' +
    'that failed, also those that the version no longer has. Stacks of v2 have the same route below `/v2`.',
  tag: 'Stacks',
  params: stackParams,
  bodyKind: 'none',
  replies: { 200: { description: 'The resources.', schema: stackResources } },
  examples: {
    reply: {
      stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
      stack_status: 'CREATE_IN_PROGRESS',
      operation: 'CREATE',
      version_id: 'R3e3s8rG1bXo0ZkYd4Vn7QpLw2TjUc5H',
      event_id: 17,
      resources: [
        {
          name: 'VPC',
          type: 'VirtualNetwork',
          physical_id: 'vpc-4d5a9c0f1e2b3a4c5',
          layer: null,
          kind: 'network',
          status: 'complete',
          status_reason: 'Created vpc-4d5a9c0f1e2b3a4c5.',
          status_changed_at: '2026-11-16T05:00:00+00:00',
          leaving: false,
          depends_on: [],
        },
        {
          name: 'Subnetweb',
          type: 'Subnet',
          physical_id: null,
          layer: 'web',
          kind: 'network',
          status: 'waiting',
          status_reason: '',
          status_changed_at: null,
          leaving: false,
          depends_on: ['VPC'],
        },
      ],
    },
  },
});

export const resourceRoutes = [listResources] as const;
