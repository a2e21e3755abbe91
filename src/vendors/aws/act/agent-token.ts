import type { Secret } from '../../../basics/secret.ts';
import { callAws, ignoreError } from '../errors.ts';
import { agentTokenParameter } from '../names.ts';
import type { Region } from '../region.ts';

/** Stores the token where only the stack's servers can read it; user data must not contain secrets. Overwrites an earlier token. */
export async function putAgentToken({ clients }: Region, stackId: string, token: Secret): Promise<void> {
  const ssm = await clients.ssm();
  await callAws(() =>
    ssm.putParameter({
      Name: agentTokenParameter(stackId),
      Description: `Token of the agents of stack ${stackId}, used to sign in to Almanac.`,
      Type: 'SecureString',
      Value: token.reveal(),
      Overwrite: true,
    }),
  );
}

export async function removeAgentToken({ clients }: Region, stackId: string): Promise<void> {
  const ssm = await clients.ssm();
  await ignoreError({ name: /^ParameterNotFound$/ }, () =>
    ssm.deleteParameter({ Name: agentTokenParameter(stackId) }),
  );
}
