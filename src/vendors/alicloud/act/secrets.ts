import type { Secret } from '../../../basics/secret.ts';
import { ifThere, isCode } from '../errors.ts';
import { agentTokenSecret, databasePasswordSecret } from '../names.ts';
import type { Region } from '../region.ts';

/** Secrets of a stack in OOS. A value travels in the body of a request: URLs end up in logs. */

const alreadyThere = /^EntityAlreadyExists/;

/** Creates a secret, or replaces its value. */
export async function putSecret({ clients }: Region, Name: string, value: Secret): Promise<void> {
  const request = { service: 'oos', query: { Name }, body: { Value: value.reveal() } } as const;
  const updated = await ifThere(() => clients.call({ ...request, action: 'UpdateSecretParameter' }));
  if (updated !== undefined) return;
  try {
    await clients.call({ ...request, action: 'CreateSecretParameter' });
  } catch (cause) {
    // An earlier request, whose answer was lost, created it with the same value.
    if (!isCode(cause, alreadyThere)) throw cause;
  }
}

export async function removeSecrets({ clients }: Region, stackId: string): Promise<void> {
  for (const Name of [agentTokenSecret(stackId), databasePasswordSecret(stackId)])
    await ifThere(() => clients.call({ service: 'oos', action: 'DeleteSecretParameter', query: { Name } }));
}
