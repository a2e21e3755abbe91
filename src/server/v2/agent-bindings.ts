import * as agents from '../../contract/v2/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { reportContainerStatus } from '../../operations/agents/agent-report.ts';
import type { Service } from '../../operations/service.ts';
import { type Binding, bindFor, noBody } from '../http/binding.ts';
import { answerTemporaryAccess, takeSpotShutdown } from '../shared/agent-requests.ts';

const bind = bindFor<Actor>();

export const agentBindings = (service: Service): Binding<Actor>[] => [
  bind(agents.reportInstanceStatus, async ({ actor, body }) => {
    const { stack_id: stackId, instance_id: instanceId, status } = body;
    const ids = { stackId, instanceId, agentId: instanceId, containerId: instanceId };
    await reportContainerStatus(service, actor, { ...ids, status });
    return noBody;
  }),
  bind(agents.reportSpotShutdown, ({ actor, body }) => takeSpotShutdown(service, actor, body)),
  bind(agents.readTemporaryAccess, ({ actor, query }) => answerTemporaryAccess(service, actor, query)),
];
