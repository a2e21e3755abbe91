import { type Answer, accepted, CredentialRejected, refused } from '../../vendor.ts';
import type { Client } from '../client.ts';
import { toAnswer } from '../errors.ts';

/** Checks that the cloud accepts the credential and lets it list stacks. Reading does not show whether it may create any. */
export async function verify(clientIn: (region: string) => Client): Promise<Answer> {
  try {
    return await toAnswer(async () => {
      const { regions } = await clientIn('').session();
      const [first] = regions;
      if (first === undefined)
        return refused('The cloud has no Heat: its catalog has no service of type orchestration.');
      await clientIn(first).read({ service: 'orchestration', path: '/stacks?limit=1' });
      return accepted;
    });
  } catch (cause) {
    if (cause instanceof CredentialRejected) return refused(cause.message);
    throw cause;
  }
}
