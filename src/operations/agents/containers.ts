import { Failure, notFound } from '../../basics/failure.ts';
import { type ContainerRow, listContainers } from '../../store/stacks/containers.ts';
import type { Actor } from '../access/access.ts';
import { mayOnStack } from '../access/permission.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';

/** If several stacks report the same id, the latest report counts. */
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

/** Roles name stacks, not containers: a container is visible to those who may see the containers of its stack. */
async function ofVisibleStacks(
  service: Service,
  actor: Actor,
  rows: ContainerRow[],
): Promise<ContainerRow[]> {
  const { query } = service.database;
  const visible = new Map<string, boolean>();
  for (const { stack_id: stackId } of rows)
    if (!visible.has(stackId))
      visible.set(stackId, await mayOnStack(query, actor, { action: 'stack:describeContainers', stackId }));
  return rows.filter((row) => visible.get(row.stack_id));
}

/** If both are given, `instanceId` decides and `stackId` is ignored. */
export async function describeContainers(
  service: Service,
  actor: Actor,
  { stackId, instanceId }: { stackId?: string | undefined; instanceId?: string | undefined },
): Promise<ContainerRow[]> {
  const { query } = service.database;
  if (instanceId)
    return ofVisibleStacks(service, actor, await listContainers(query, actor.accountId, { instanceId }));
  if (!stackId) throw new Failure('invalid_request', 'stack_id or instance_id not specified');
  await findExistingStack(query, actor.accountId, { stackId });
  return listContainers(query, actor.accountId, { stackId });
}
