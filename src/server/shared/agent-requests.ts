import type { Static } from 'typebox';
import type { spotShutdownBody, temporaryAccessQuery } from '../../contract/v3/agents.ts';
import type { Actor } from '../../operations/access/access.ts';
import { reportSpotShutdown } from '../../operations/agents/agent-report.ts';
import { readTemporaryAccess } from '../../operations/credentials/temporary-access.ts';
import type { Service } from '../../operations/service.ts';
import { noBody, reply } from '../http/binding.ts';

/** What agents may ask at the addresses of either version. */

export async function takeSpotShutdown(
  service: Service,
  actor: Actor,
  { stack_id, instance_id, user_id }: Static<typeof spotShutdownBody>,
) {
  await reportSpotShutdown(service, actor, { stackId: stack_id, instanceId: instance_id, userId: user_id });
  return noBody;
}

export async function answerTemporaryAccess(
  service: Service,
  actor: Actor,
  query: Static<typeof temporaryAccessQuery>,
) {
  const { keyId, secret, sessionToken } = await readTemporaryAccess(service, actor, query.stack_id);
  return reply({
    headers: { 'cache-control': 'no-store' },
    body: { AccessKeyId: keyId, SecretAccessKey: secret, SessionToken: sessionToken },
  });
}
