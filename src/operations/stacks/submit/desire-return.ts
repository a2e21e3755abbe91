import type { Query } from '../../../store/database/database.ts';
import { markReturned } from '../../../store/stacks/rollouts.ts';
import { type desireVersion, desireVersionAgain } from '../../../store/stacks/stacks.ts';
import { markCancelled } from '../../../store/stacks/versions.ts';

/** The version that failed is cancelled: it never becomes the last complete one. */
export async function desireReturn(
  query: Query,
  stackId: string,
  { cancels, ...desired }: Parameters<typeof desireVersion>[2] & { cancels: string },
): Promise<void> {
  await markCancelled(query, cancels, desired.now);
  await markReturned(query, { stackId, versionId: cancels, now: desired.now });
  await desireVersionAgain(query, stackId, { ...desired, cancelled: { version: cancels, losses: '' } });
}
