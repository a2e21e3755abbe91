import type { InstanceState } from '../../model/rollout.ts';
import { type Heard, stateOf } from '../../rollouts/judge.ts';
import { heardReports } from '../../rollouts/record.ts';
import { listLayerRevisions } from '../../store/stacks/layer-revisions.ts';
import { listRollouts, type RolloutRow } from '../../store/stacks/rollouts.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { findExistingStack } from '../find-stack.ts';
import type { Service } from '../service.ts';

export interface RolloutInstance {
  instanceId: string;
  address: string;
  state: InstanceState;
  /** Undefined: it has not reported. */
  report: Heard | undefined;
}

export interface DescribedRollout {
  row: RolloutRow;
  /** Of the current revision; empty for earlier ones. */
  instances: readonly RolloutInstance[];
}

export interface RolloutFilter {
  stackId: string;
  flag?: string | undefined;
  versionId?: string | undefined;
  limit?: number | undefined;
}

/** The newest first. */
export async function readRollouts(
  { database: { query }, clock }: Service,
  { accountId }: Actor,
  { limit = 20, ...filter }: RolloutFilter,
): Promise<DescribedRollout[]> {
  const stack = await findExistingStack(query, accountId, { stackId: filter.stackId });
  const rows = await listRollouts(query, { ...filter, limit });
  const current = new Map((await listLayerRevisions(query, stack.id)).map((row) => [row.flag, row.updated]));
  const reports = await heardReports(query, stack.id);
  const now = clock.now();
  return rows.map((row) => ({
    row,
    instances: current.get(row.flag) === row.revision ? instancesOf(stack, row, { reports, now }) : [],
  }));
}

interface Reported {
  reports: readonly Heard[];
  now: number;
}

function instancesOf(stack: StackRow, row: RolloutRow, { reports, now }: Reported): RolloutInstance[] {
  return stack.view.instances
    .filter(({ flag }) => flag === row.flag)
    .map(({ id, publicIp, privateIp }) => {
      const report = reports.find(({ instance_id }) => instance_id === id);
      return {
        instanceId: id,
        address: publicIp ?? privateIp,
        state: report ? stateOf(report, row.revision, now) : 'starting',
        report,
      };
    });
}
