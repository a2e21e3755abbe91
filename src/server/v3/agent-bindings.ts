import * as agents from '../../contract/v3/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { readAgentConfig } from '../../operations/agents/agent-config.ts';
import { reportAgentStatus, reportContainerStatus } from '../../operations/agents/agent-report.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor, noBody, reply } from '../http/binding.ts';
import { answerTemporaryAccess, takeSpotShutdown } from '../shared/agent-requests.ts';
import { presentAgentConfig } from './present/agent-config.ts';

const bind = bindFor<Actor>();

export const agentBindings = (service: Service): Binding<Actor>[] => [
  bind(agents.reportAgentStatus, async ({ actor, body }) => {
    const { stack_id, agent_id, status, instance_id, message } = body;
    await reportAgentStatus(service, actor, {
      stackId: stack_id,
      agentId: agent_id,
      status,
      instanceId: instance_id,
      message,
    });
    return noBody;
  }),
  bind(agents.reportContainerStatus, async ({ actor, body }) => {
    const { stack_id, agent_id, container_id, status, instance_id } = body;
    await reportContainerStatus(service, actor, {
      stackId: stack_id,
      agentId: agent_id,
      containerId: container_id,
      status,
      instanceId: instance_id,
    });
    return noBody;
  }),
  bind(agents.reportSpotShutdown, ({ actor, body }) => takeSpotShutdown(service, actor, body)),
  bind(agents.readAgentConfig, async ({ actor, query }) => {
    const config = await readAgentConfig(service, actor, { stackId: query.stack_id, flag: query.flag });
    return reply({
      headers: { 'cache-control': 'no-store' },
      body: config ? presentAgentConfig(config) : noBody,
    });
  }),
  bind(agents.readTemporaryAccess, ({ actor, query }) => answerTemporaryAccess(service, actor, query)),
  bind(agents.readLogsAccess, ({ actor, query }) => answerTemporaryAccess(service, actor, query)),
];
