import { Type } from 'typebox';
import { route } from '../route.ts';
import { agentConfig, temporaryAccess } from './schemas/agent.ts';
import { identifier, identifierOrEmpty, optionalIdentifier } from './schemas/identifier.ts';

/** Common parts of all agent reports. */
export const report = {
  method: 'POST',
  access: 'agent',
  tag: 'Agents',
  bodyKind: 'fields',
  replies: { 202: { description: 'The report is accepted. No body.', schema: null } },
} as const;

export const reportedStatus = Type.String({ minLength: 1, maxLength: 255, description: 'Status text.' });
const stackId = identifier('Stack id. A stack token is valid for its own stack only.');
const instanceId = optionalIdentifier('Instance the agent runs on.');

const aRevision = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));
const aText = (description: string) => Type.Optional(Type.String({ description }));

/** What an agent that knows revisions says about the application. Agents that name no revision stay valid. */
const applicationReport = {
  revision: aRevision('The revision that the status is about: `container_updated` of the configuration.'),
  serving_revision: aRevision('The revision that serves on the instance. 0: none does.'),
  flag: optionalIdentifier('Flag of the layer that the agent belongs to.'),
  definite: Type.Optional(
    Type.Boolean({
      description: 'With status `error`: trying again cannot help (crash loop, missing image).',
    }),
  ),
  last_lines: aText('The last lines of the container that failed. The last 4000 characters are stored.'),
  image: aText('The image that serves.'),
  digest: aText('Its digest.'),
  every: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'The agent repeats its report every so many seconds.',
    }),
  ),
};

export const reportAgentStatus = route({
  ...report,
  name: 'v3ReportAgentStatus',
  path: '/v3/alm/agent/agent_status',
  summary: 'Report agent status',
  description:
    'Status `spot_terminate` with an `instance_id` replaces the instance. Repeating a report has no effect.',
  body: Type.Object({
    stack_id: stackId,
    agent_id: identifier('Agent id.'),
    status: reportedStatus,
    instance_id: instanceId,
    message: Type.Optional(Type.String({ description: 'Free text. The first 2000 characters are stored.' })),
    sends_logs: Type.Optional(
      Type.Boolean({ description: 'The agent sends logs on request: see the header `alm-logs`.' }),
    ),
    ...applicationReport,
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
  summary: 'Report container status',
  body: Type.Object({
    stack_id: stackId,
    agent_id: identifier('Agent id.'),
    container_id: identifier('Container id. Often the instance id.'),
    status: reportedStatus,
    instance_id: instanceId,
  }),
});

const spotShutdownBody = Type.Object({
  stack_id: stackId,
  instance_id: identifier('Spot instance that the vendor is terminating.'),
  user_id: optionalIdentifier('If set, must be the owner of the stack.'),
});

export const reportSpotShutdown = route({
  ...report,
  name: 'v3ReportSpotShutdown',
  path: '/v3/event/spot/shutdown',
  summary: 'Report a spot instance termination',
  description: 'Equivalent to agent status `spot_terminate`.',
  body: spotShutdownBody,
});

export const readAgentConfig = route({
  name: 'v3ReadAgentConfig',
  method: 'GET',
  path: '/v3/alm/agent/config',
  access: 'agent',
  summary: 'Get the container configuration of a layer',
  description:
    'The response body is empty if the layer does not exist or does not define a container. Members without a value are omitted. ' +
    'The header `alm-logs: wanted` means that someone waits for logs: agents that send logs then call `/v3/alm/agent/log_requests`.',
  tag: 'Agents',
  query: Type.Object({
    stack_id: stackId,
    flag: identifierOrEmpty('Flag of the layer. Ignored for v2 stacks, which have only one layer.'),
  }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The configuration, or no body.', schema: agentConfig, contentType: 'text/plain' },
  },
});

export const readDefaultPage = route({
  name: 'v3ReadDefaultPage',
  method: 'GET',
  path: '/v3/alm/agent/default_page',
  access: 'agent',
  summary: 'Get the ports of the default page of a layer',
  description:
    'While a layer with a load balancer has no container, its agents serve a page on these ports, so that the servers pass the health checks. Empty if the layer has a container, a machine image of its own or no load balancer.',
  tag: 'Agents',
  query: readAgentConfig.query,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The ports.',
      schema: Type.Object({ ports: Type.Array(Type.Integer()) }, { $id: 'DefaultPage' }),
    },
  },
});

const temporaryAccessQuery = Type.Object({
  stack_id: optionalIdentifier('Stack id. Not required with a stack token.'),
  service: optionalIdentifier('Purpose of the credentials: `logs`.'),
});

const readAccess = {
  method: 'GET',
  access: 'agent',
  tag: 'Agents',
  query: temporaryAccessQuery,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The temporary credentials, or three empty strings if there are none.',
      schema: temporaryAccess,
    },
  },
} as const;

export const readTemporaryAccess = route({
  ...readAccess,
  name: 'v3ReadTemporaryAccess',
  asksVendor: true,
  path: '/v3/alm/sts',
  summary: 'Get temporary vendor credentials',
});

const readLogsAccess = route({
  ...readAccess,
  name: 'v3ReadLogsAccess',
  asksVendor: true,
  path: '/v3/alm/agent/logs_access_token',
  summary: 'Get temporary vendor credentials (alias)',
  description: 'Alias of `/v3/alm/sts`.',
});

export const agentRoutes = [
  reportAgentStatus,
  reportContainerStatus,
  reportSpotShutdown,
  readAgentConfig,
  readDefaultPage,
  readTemporaryAccess,
  readLogsAccess,
] as const;
