import { Type } from 'typebox';
import { type InstanceState, instanceStates } from '../../model/rollout.ts';
import { route } from '../route.ts';
import { identifier, optionalIdentifier } from './schemas/identifier.ts';

export const container = Type.Object(
  {
    container_id: Type.String({ description: 'Container id. May be equal to the instance id.' }),
    agent_id: Type.String(),
    update_time: Type.String({ description: 'Unix time in seconds.' }),
    stack_id: Type.String(),
    instance_id: Type.String({ description: 'Empty if the agent did not report it.' }),
    status: Type.String({ description: 'Last status reported by the agent.' }),
    image: Type.Optional(
      Type.String({ description: 'The image that serves. Absent: the agent does not say.' }),
    ),
    digest: Type.Optional(Type.String({ description: 'Its digest.' })),
    state: Type.Optional(
      Type.Unsafe<InstanceState>(
        Type.String({
          enum: [...instanceStates],
          description: 'What the instance does with the revision that it should run.',
        }),
      ),
    ),
    since: Type.Optional(Type.String({ description: 'Since when, ISO 8601.' })),
    reason: Type.Optional(Type.String({ description: 'Why it does not serve. May be empty.' })),
  },
  { $id: 'Container' },
);

const containerExample = {
  container_id: 'i-0123456789abcdef0',
  agent_id: '6f1c1f0e-0c1b-4b43-9e5e-0d5f8f5b2a11',
  update_time: '1893456000',
  stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
  instance_id: 'i-0123456789abcdef0',
  status: 'complete',
};

export const listContainers = route({
  name: 'v3ListContainers',
  method: 'GET',
  path: '/v3/alm/container',
  access: { action: 'stack:describeContainers' },
  summary: 'List containers',
  description:
    'Lists the containers of a stack or an instance, latest report first. Requires `stack_id` or `instance_id`. If both are ' +
    'set, `stack_id` is ignored.',
  tag: 'Containers',
  query: Type.Object({
    stack_id: optionalIdentifier('Stack id.'),
    instance_id: optionalIdentifier('Instance id.'),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The containers.', schema: Type.Array(container) } },
  examples: { reply: [containerExample] },
});

export const describeContainer = route({
  name: 'v3DescribeContainer',
  method: 'GET',
  path: '/v3/alm/container/{container_id}',
  access: { action: 'stack:describeContainers' },
  summary: 'Describe a container',
  description: 'If several stacks report the same container id, returns the latest report.',
  tag: 'Containers',
  params: Type.Object({ container_id: identifier('Container id.') }),
  bodyKind: 'none',
  replies: { 200: { description: 'The container.', schema: container } },
  examples: { reply: containerExample },
});

export const containerRoutes = [listContainers, describeContainer] as const;
