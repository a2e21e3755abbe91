import type { BodyOf } from '../../contract/route.ts';
import type * as agents from '../../contract/v3/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { readAgentConfig } from '../../operations/agents/agent-config.ts';
import { reportAgentStatus } from '../../operations/agents/agent-report.ts';
import { reportContainerStatus } from '../../operations/agents/container-report.ts';
import { readDefaultPagePorts } from '../../operations/agents/default-page.ts';
import { areLogsWanted } from '../../operations/logs/agent-logs.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody, reply } from '../http/binding.ts';
import { sharedAgentHandlers } from '../shared/agent-handlers.ts';
import { presentAgentConfig } from './present/agent-config.ts';

type AgentHandlers = Handlers<typeof agents.agentRoutes, Actor>;

const readingHandlers = (service: Service): Pick<AgentHandlers, 'readDefaultPage' | 'readAgentConfig'> => ({
  readDefaultPage: async ({ actor, query }) => ({
    ports: await readDefaultPagePorts(service, actor, { stackId: query.stack_id, flag: query.flag }),
  }),
  readAgentConfig: async ({ actor, query }) => {
    const config = await readAgentConfig(service, actor, { stackId: query.stack_id, flag: query.flag });
    return reply({
      headers: {
        ...(config ? {} : { 'content-type': 'text/plain; charset=utf-8' }),
        ...(areLogsWanted(service, query.stack_id) ? { 'alm-logs': 'wanted' } : {}),
      },
      body: config ? presentAgentConfig(config) : noBody,
    });
  },
});

const applicationIn = (body: BodyOf<typeof agents.reportAgentStatus>) => ({
  revision: body.revision,
  servingRevision: body.serving_revision,
  flag: body.flag,
  definite: body.definite,
  lastLines: body.last_lines,
  image: body.image,
  digest: body.digest,
  everySeconds: body.every,
});

export const agentHandlers = (service: Service): AgentHandlers => {
  const shared = sharedAgentHandlers(service);
  return {
    ...shared,
    ...readingHandlers(service),
    readLogsAccess: shared.readTemporaryAccess,
    reportAgentStatus: async ({ actor, body }) => {
      const { stack_id, agent_id, status, instance_id, message, sends_logs } = body;
      await reportAgentStatus(service, actor, {
        stackId: stack_id,
        agentId: agent_id,
        status,
        instanceId: instance_id,
        message,
        sendsLogs: sends_logs,
        app: applicationIn(body),
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
  };
};
