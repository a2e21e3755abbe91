import type { agentRoutes } from '../../contract/v3/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { reportSpotShutdown } from '../../operations/agents/agent-report.ts';
import { readTemporaryAccess } from '../../operations/credentials/temporary-access.ts';
import type { Service } from '../../operations/service.ts';
import { type Handlers, noBody, reply } from '../http/binding.ts';

type AgentHandlers = Handlers<typeof agentRoutes, Actor>;

/** Agent requests of both API versions. */
export const sharedAgentHandlers = (
  service: Service,
): Pick<AgentHandlers, 'reportSpotShutdown' | 'readTemporaryAccess'> => ({
  reportSpotShutdown: async ({ actor, body: { stack_id, instance_id, user_id } }) => {
    await reportSpotShutdown(service, actor, { stackId: stack_id, instanceId: instance_id, userId: user_id });
    return noBody;
  },
  readTemporaryAccess: async ({ actor, query }) => {
    const { keyId, secret, sessionToken } = await readTemporaryAccess(service, actor, query.stack_id);
    return reply({
      headers: { 'cache-control': 'no-store' },
      body: { AccessKeyId: keyId, SecretAccessKey: secret, SessionToken: sessionToken },
    });
  },
});
