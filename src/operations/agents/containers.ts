import { Failure, notFound } from '../../basics/failure.ts';
import { type ContainerRow, listContainers } from '../../store/stacks/containers.ts';
import { findStack } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { mayOnStack } from '../access/permission.ts';
import type { Service } from '../service.ts';

/** Where several stacks report the same id, the latest report counts. */
export async function describeContainer(
  service: Service,
  actor: Actor,
  containerId: string,
): Promise<ContainerRow> {
  const found = await listContainers(service.database.query, actor.accountId, { containerId });
  const [latest] = await ofVisibleStacks(service, actor, found);
  if (!latest) throw notFound('Container', containerId);
  return latest;
}

/** Roles speak of stacks; a container is seen by whoever may see the containers of its stack. */
async function ofVisibleStacks(
  service: Service,
  actor: Actor,
  rows: ContainerRow[],
): Promise<ContainerRow[]> {
  const seen = new Map<string, boolean>();
  for (const { stack_id: stackId } of rows)
    if (!seen.has(stackId))
      seen.set(stackId, await mayOnStack(service.database.query, actor, 'stack:describeContainers', stackId));
  return rows.filter((row) => seen.get(row.stack_id));
}

/** With both, the stack is ignored: the instance says more. */
export async function describeContainers(
  service: Service,
  actor: Actor,
  { stackId, instanceId }: { stackId?: string | undefined; instanceId?: string | undefined },
): Promise<ContainerRow[]> {
  const { query } = service.database;
  if (instanceId)
    return ofVisibleStacks(service, actor, await listContainers(query, actor.accountId, { instanceId }));
  if (!stackId) throw new Failure('invalid_request', 'stack_id or instance_id not specified');
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.deleted_at !== null) throw notFound('Stack', stackId);
  return listContainers(query, actor.accountId, { stackId });
}
