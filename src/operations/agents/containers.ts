import { Failure, notFound } from '../../basics/failure.ts';
import type { InstanceState } from '../../model/rollout.ts';
import { stateOf } from '../../rollouts/judge.ts';
import { heardReports } from '../../rollouts/record.ts';
import type { AppInstanceRow } from '../../store/stacks/app-instances.ts';
import { type ContainerRow, listContainers } from '../../store/stacks/containers.ts';
import { listLayerRevisions } from '../../store/stacks/layer-revisions.ts';
import type { Actor } from '../access/access.ts';
import { mayOnStack } from '../access/permission.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';

export interface DescribedContainer extends ContainerRow {
  /** What its instance says about its application. Undefined: nothing. */
  application: { report: AppInstanceRow; state: InstanceState } | undefined;
}

/** If several stacks report the same id, the latest report counts. */
export async function describeContainer(
  service: Service,
  actor: Actor,
  containerId: string,
): Promise<DescribedContainer> {
  const found = await listContainers(service.database.query, actor.accountId, { containerId });
  const visible = await ofVisibleStacks(service, actor, found);
  const [latest] = await withApplications(service, visible.slice(0, 1));
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
): Promise<DescribedContainer[]> {
  const { query } = service.database;
  if (instanceId) {
    const found = await listContainers(query, actor.accountId, { instanceId });
    return withApplications(service, await ofVisibleStacks(service, actor, found));
  }
  if (!stackId) throw new Failure('invalid_request', 'stack_id or instance_id not specified');
  await findExistingStack(query, actor.accountId, { stackId });
  return withApplications(service, await listContainers(query, actor.accountId, { stackId }));
}

/** Adds what the instances serve: the containers' own reports do not say it. */
async function withApplications(
  { database: { query }, clock }: Service,
  rows: readonly ContainerRow[],
): Promise<DescribedContainer[]> {
  const now = clock.now();
  const found = new Map<string, DescribedContainer['application']>();
  const keyOf = (stackId: string, instanceId: string): string => `${stackId} ${instanceId}`;
  for (const stackId of new Set(rows.map(({ stack_id }) => stack_id))) {
    const layers = await listLayerRevisions(query, stackId);
    for (const report of await heardReports(query, stackId)) {
      const current = layers.find(({ flag }) => flag === report.flag);
      const state = stateOf(report, current?.updated ?? report.revision, now);
      found.set(keyOf(stackId, report.instance_id), { report, state });
    }
  }
  return rows.map((row) => ({ ...row, application: found.get(keyOf(row.stack_id, row.instance_id)) }));
}
