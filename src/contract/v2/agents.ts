import { Type } from 'typebox';
import { route } from '../route.ts';
import {
  report,
  reportedStatus,
  readTemporaryAccess as v3Access,
  reportSpotShutdown as v3Shutdown,
} from '../v3/agents.ts';
import { identifier } from '../v3/schemas/identifier.ts';

/** Routes of agents older than v3. */

const reportInstanceStatus = route({
  ...report,
  name: 'v2ReportInstanceStatus',
  path: '/v2/alm/instance/status',
  summary: 'Report instance status',
  description: 'Equivalent to a container status report whose container id is the instance id.',
  body: Type.Object({
    stack_id: identifier('Stack id. A stack token is valid for its own stack only.'),
    instance_id: identifier('Instance id.'),
    status: reportedStatus,
  }),
});

const reportSpotShutdown = route({
  ...v3Shutdown,
  name: 'v2ReportSpotShutdown',
  path: '/v2/event/spot/shutdown',
});

const readTemporaryAccess = route({
  ...v3Access,
  name: 'v2ReadTemporaryAccess',
  asksVendor: true,
  path: '/v2/alm/sts',
});

export const agentRoutes = [reportInstanceStatus, reportSpotShutdown, readTemporaryAccess] as const;
