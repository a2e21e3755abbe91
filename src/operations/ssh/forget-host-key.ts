import { notFound } from '../../basics/failure.ts';
import { deleteHostKey } from '../../store/ssh/host-keys.ts';
import type { Actor } from '../access/access.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';
import { addSshEvent } from './activity-log.ts';

/** Deletes the known host key of an instance; the next connection trusts and stores the key it finds. */
export async function forgetHostKey(
  service: Service,
  actor: Actor,
  { stackId, instanceId }: { stackId: string; instanceId: string },
): Promise<void> {
  const { query } = service.database;
  const stack = await findExistingStack(query, actor.accountId, { stackId });
  if (!(await deleteHostKey(query, stackId, instanceId)))
    throw notFound(`A known host key of stack ${stackId} and instance`, instanceId);
  await addSshEvent(service, actor, {
    stack,
    instanceId,
    action: `deleted the known host key of instance ${instanceId}.`,
  });
}
