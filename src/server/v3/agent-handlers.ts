import type * as agents from '../../contract/v3/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { readAgentConfig } from '../../operations/agents/agent-config.ts';
import { reportAgentStatus, reportContainerStatus } from '../../operations/agents/agent-report.ts';
import { readDefaultPagePorts } from '../../operations/agents/default-page.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody, reply } from '../http/binding.ts';
import { sharedAgentHandlers } from '../shared/agent-handlers.ts';
import { presentAgentConfig } from './present/agent-config.ts';

export const agentHandlers = (service: Service): Handlers<typeof agents.agentRoutes, Actor> => {
  const shared = sharedAgentHandlers(service);
  return {
    ...shared,
    readLogsAccess: shared.readTemporaryAccess,
    reportAgentStatus: async ({ actor, body }) => {
      const { stack_id, agent_id, status, instance_id, message } = body;
      await reportAgentStatus(service, actor, {
        stackId: stack_id,
        agentId: agent_id,
        status,
        instanceId: instance_id,
        message,
      });
      return noBody;
    },
    reportContainerStatus: async ({ actor, body }) => {
      const { stack_id, agent_id, container_id, status, instance_id } = body;
      await reportContainerStatus(service, actor, {
        stackId: stack_id,
        agentId: agent_id,
        containerId: container_id,
        status,
        instanceId: instance_id,
      });
      return noBody;
    },
    readDefaultPage: async ({ actor, query }) => ({
      ports: await readDefaultPagePorts(service, actor, { stackId: query.stack_id, flag: query.flag }),
    }),
    readAgentConfig: async ({ actor, query }) => {
      const config = await readAgentConfig(service, actor, { stackId: query.stack_id, flag: query.flag });
      return reply({
        headers: { 'cache-control': 'no-store' },
        body: config ? presentAgentConfig(config) : noBody,
      });
    },
  };
};
