import type * as agents from '../../contract/v2/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { reportContainerStatus } from '../../operations/agents/container-report.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody } from '../http/binding.ts';
import { sharedAgentHandlers } from '../shared/agent-handlers.ts';

export const agentHandlers = (service: Service): Handlers<typeof agents.agentRoutes, Actor> => ({
  ...sharedAgentHandlers(service),
  reportInstanceStatus: async ({ actor, body }) => {
    const { stack_id: stackId, instance_id: instanceId, status } = body;
    // The report names no agent: the container keeps the one that it has.
    const ids = { stackId, instanceId, agentId: '', containerId: instanceId };
    await reportContainerStatus(service, actor, { ...ids, status });
    return noBody;
  },
});
