import { notFound } from '../../basics/failure.ts';
import { deleteHostKey } from '../../store/ssh/host-keys.ts';
import { findStack } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { tellStack } from './record.ts';

/** The next connection meets the instance for the first time again. */
export async function forgetHostKey(
  service: Service,
  actor: Actor,
  stackId: string,
  instanceId: string,
): Promise<void> {
  const { query } = service.database;
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.deleted_at !== null) throw notFound('Stack', stackId);
  if (!(await deleteHostKey(query, stackId, instanceId)))
    throw notFound(`A known host key of stack ${stackId} and instance`, instanceId);
  await tellStack(service, actor, { stack, instanceId }, `forgot the host key of instance ${instanceId}.`);
}
