import { Type } from 'typebox';
import { route } from '../route.ts';
import { agentConfig, temporaryAccess } from './schemas/agent.ts';
import { identifier, identifierOrEmpty, identifierOrNothing } from './schemas/identifier.ts';

/** What all the agents' reports have in common. */
export const report = {
  method: 'POST',
  access: 'agent',
  tag: 'Agents',
  bodyKind: 'fields',
  replies: { 202: { description: 'Noted. No body.', schema: null } },
} as const;

export const reportedStatus = Type.String({ minLength: 1, maxLength: 255, description: 'Any words.' });
const stackId = identifier('A stack token speaks for its own stack only.');
const instanceId = identifierOrNothing('The instance the agent runs on.');

export const reportAgentStatus = route({
  ...report,
  name: 'v3ReportAgentStatus',
  path: '/v3/alm/agent/agent_status',
  summary: "Report an agent's status",
  description:
    'Status `spot_terminate` with an `instance_id` has the instance replaced. Repeating a report changes nothing.',
  body: Type.Object({
    stack_id: stackId,
    agent_id: identifier('The agent.'),
    status: reportedStatus,
    instance_id: instanceId,
    message: Type.Optional(Type.String({ description: 'Free text; the first 2000 characters are kept.' })),
  }),
  examples: {
    body: {
      stack_id: 'mo-5447826c870e7-aB3dE6gH9-tk',
      agent_id: '6f1c1f0e-0c1b-4b43-9e5e-0d5f8f5b2a11',
      status: 'starting',
      instance_id: 'i-0123456789abcdef0',
    },
  },
});

export const reportContainerStatus = route({
  ...report,
  name: 'v3ReportContainerStatus',
  path: '/v3/alm/agent/container_status',
  summary: "Report a container's status",
  body: Type.Object({
    stack_id: stackId,
    agent_id: identifier('The agent.'),
    container_id: identifier('The container; often the instance id.'),
    status: reportedStatus,
    instance_id: instanceId,
  }),
});

export const spotShutdownBody = Type.Object({
  stack_id: stackId,
  instance_id: identifier('The instance the cloud takes back.'),
  user_id: identifierOrNothing('When given, it must be the owner of the stack.'),
});

export const reportSpotShutdown = route({
  ...report,
  name: 'v3ReportSpotShutdown',
  path: '/v3/event/spot/shutdown',
  summary: 'Report that the cloud takes a spot instance back',
  description: 'The same as agent status `spot_terminate`.',
  body: spotShutdownBody,
});

export const readAgentConfig = route({
  name: 'v3ReadAgentConfig',
  method: 'GET',
  path: '/v3/alm/agent/config',
  access: 'agent',
  summary: "Describe a layer's container configuration",
  description:
    'An empty body when there is no such layer, or it defines no container. Members that are not set are left out.',
  tag: 'Agents',
  query: Type.Object({
    stack_id: stackId,
    flag: identifierOrEmpty('The layer. Stacks of v2 have only one: whatever is said here, it is meant.'),
  }),
  bodyKind: 'none',
  replies: { 200: { description: 'The configuration, or no body.', schema: agentConfig } },
});

export const temporaryAccessQuery = Type.Object({
  stack_id: identifierOrNothing('A stack token may leave it out.'),
  service: identifierOrNothing('What the access is for: `logs`.'),
});

const readAccess = {
  method: 'GET',
  access: 'agent',
  tag: 'Agents',
  query: temporaryAccessQuery,
  bodyKind: 'none',
  replies: {
    200: { description: 'The access; three empty texts where there is none.', schema: temporaryAccess },
  },
} as const;

export const readTemporaryAccess = route({
  ...readAccess,
  name: 'v3ReadTemporaryAccess',
  path: '/v3/alm/sts',
  summary: "Get temporary access to the vendor's services",
});

export const readLogsAccess = route({
  ...readAccess,
  name: 'v3ReadLogsAccess',
  path: '/v3/alm/agent/logs_access_token',
  summary: 'The same as /v3/alm/sts',
});

export const agentRoutes = [
  reportAgentStatus,
  reportContainerStatus,
  reportSpotShutdown,
  readAgentConfig,
  readTemporaryAccess,
  readLogsAccess,
];
