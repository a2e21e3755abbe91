import type { Secret } from '../../../basics/secret.ts';
import { ask } from '../errors.ts';
import { agentTokenParameter } from '../names.ts';
import type { Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';

/** Where only the stack's own servers can read it: user data is no place for secrets. The last one put holds. */
export async function putAgentToken({ clients }: Region, stackId: string, token: Secret): Promise<void> {
  const ssm = await clients.ssm();
  await ask(() =>
    ssm.putParameter({
      Name: agentTokenParameter(stackId),
      Description: `What the agents of stack ${stackId} sign in to Almanac with.`,
      Type: 'SecureString',
      Value: token.reveal(),
      Overwrite: true,
    }),
  );
}

export async function removeAgentToken({ clients }: Region, stackId: string): Promise<void> {
  const ssm = await clients.ssm();
  await tolerate({ name: /^ParameterNotFound$/ }, () =>
    ssm.deleteParameter({ Name: agentTokenParameter(stackId) }),
  );
}
