import { Type } from 'typebox';
import { route } from '../route.ts';
import {
  report,
  reportedStatus,
  readTemporaryAccess as v3Access,
  reportSpotShutdown as v3Shutdown,
} from '../v3/agents.ts';
import { identifier } from '../v3/schemas/identifier.ts';

/** Agents that came before v3 know these addresses. */

export const reportInstanceStatus = route({
  ...report,
  name: 'v2ReportInstanceStatus',
  path: '/v2/alm/instance/status',
  summary: "Report an instance's status",
  description: 'The same as a container status whose container is the instance.',
  body: Type.Object({
    stack_id: identifier('A stack token speaks for its own stack only.'),
    instance_id: identifier('The instance.'),
    status: reportedStatus,
  }),
});

export const reportSpotShutdown = route({
  ...v3Shutdown,
  name: 'v2ReportSpotShutdown',
  path: '/v2/event/spot/shutdown',
});

export const readTemporaryAccess = route({
  ...v3Access,
  name: 'v2ReadTemporaryAccess',
  path: '/v2/alm/sts',
});

export const agentRoutes = [reportInstanceStatus, reportSpotShutdown, readTemporaryAccess];
