import type { Query } from '../../../store/database/database.ts';
import { markReturned } from '../../../store/stacks/rollouts.ts';
import { type desireVersion, desireVersionAgain, type StackRow } from '../../../store/stacks/stacks.ts';
import { markCancelled } from '../../../store/stacks/versions.ts';
import { recordIn } from '../../audit/write-entries.ts';
import type { Service } from '../../service.ts';
import type { NewVersion } from './new-version.ts';

interface Return {
  stack: StackRow;
  desired: Parameters<typeof desireVersion>[2];
  returning: NonNullable<NewVersion['returning']>;
}

/** The version that failed is cancelled: it never becomes the last complete one. */
export async function desireReturn(
  service: Service,
  query: Query,
  { stack: { id: stackId, account_id: accountId }, desired, returning: { from, cause } }: Return,
): Promise<void> {
  await markCancelled(query, from, desired.now);
  await markReturned(query, { stackId, versionId: from, now: desired.now });
  await desireVersionAgain(query, stackId, { ...desired, cancelled: { version: from, losses: '' } });
  await recordIn(service, query, {
    account_id: accountId,
    actor_kind: 'client',
    actor: desired.by,
    action: 'template:updateAlmTemplate',
    resource: `mrn:alm:stack:${stackId}`,
    route: 'automatic',
    stackId,
    detail: cause,
  });
}
