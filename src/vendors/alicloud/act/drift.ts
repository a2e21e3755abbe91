import type { Drift, DriftedResource } from '../../drift.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { ifThere, isBusy, observing, toAnswer } from '../errors.ts';
import type { CloudStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region, readNow } from '../region.ts';

const notAtRest = 'The stack is changing at the moment. Check it for drift when it is complete.';

/** ROS checks for up to some minutes. An id is not shown anywhere else, so a restarted server reads the result only. */
export const startDriftCheck = (region: Region, { id }: StackOnVendor): Promise<Answer> =>
  toAnswer(async () => {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack does not exist on Alibaba Cloud yet.');
    if (phaseOf(stack.status).kind === 'busy') return refused(notAtRest);
    if (await isChecking(region, id)) return accepted;
    try {
      const { DriftDetectionId = '' } = await region.clients.call<{ DriftDetectionId?: string }>({
        service: 'ros',
        action: 'DetectStackDrift',
        query: { StackId: stack.rosId },
      });
      region.driftChecks.set(id, DriftDetectionId);
    } catch (cause) {
      if (isBusy(cause)) return refused(notAtRest);
      throw cause;
    }
    return accepted;
  });

async function isChecking({ clients, driftChecks }: Region, stackId: string): Promise<boolean> {
  const check = driftChecks.get(stackId);
  if (check === undefined) return false;
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<{ DriftDetectionStatus?: string }>({
        service: 'ros',
        action: 'GetStackDriftDetectionStatus',
        query: { DriftDetectionId: check },
      }),
    ),
  );
  if (answer?.DriftDetectionStatus === 'DETECTION_IN_PROGRESS') return true;
  driftChecks.delete(stackId);
  return false;
}

const neverChecked: Drift = { state: 'never_checked', checkedAt: null, reason: '', resources: [] };

export async function readDrift(region: Region, { id }: StackOnVendor): Promise<Drift> {
  if (await isChecking(region, id)) return { ...neverChecked, state: 'checking' };
  const stack = await readNow(region, id);
  const { status, checkedAt } = stack?.drift ?? { status: '', checkedAt: null };
  if (!stack || checkedAt === null) return neverChecked;
  if (status === 'IN_SYNC') return { ...neverChecked, state: 'in_sync', checkedAt };
  if (status !== 'DRIFTED') return neverChecked;
  return { ...neverChecked, state: 'drifted', checkedAt, resources: await readDrifted(region, stack) };
}

interface DriftRow {
  LogicalResourceId?: string;
  ResourceType?: string;
  ResourceDriftStatus?: string;
  PropertyDifferences?: readonly { PropertyPath?: string; ExpectedValue?: string; ActualValue?: string }[];
}

async function readDrifted({ clients }: Region, { rosId }: CloudStack): Promise<DriftedResource[]> {
  const drifted: DriftedResource[] = [];
  let token: string | undefined;
  do {
    const page = await observing(() =>
      clients.call<{ ResourceDrifts?: readonly DriftRow[]; NextToken?: string }>({
        service: 'ros',
        action: 'ListStackResourceDrifts',
        query: {
          StackId: rosId,
          ResourceDriftStatus: ['MODIFIED', 'DELETED'],
          MaxResults: 100,
          ...(token ? { NextToken: token } : {}),
        },
      }),
    );
    drifted.push(...(page.ResourceDrifts ?? []).map(driftedResourceOf));
    token = page.NextToken;
  } while (token);
  return drifted.toSorted((one, other) => (one.resource < other.resource ? -1 : 1));
}

const driftedResourceOf = (row: DriftRow): DriftedResource => ({
  resource: row.LogicalResourceId ?? '',
  resourceType: row.ResourceType ?? '',
  kind: row.ResourceDriftStatus === 'DELETED' ? 'deleted' : 'changed',
  members: (row.PropertyDifferences ?? []).map(({ PropertyPath = '', ExpectedValue, ActualValue }) => ({
    path: PropertyPath.replace(/^\//, ''),
    expected: ExpectedValue ?? '',
    actual: ActualValue ?? '',
  })),
});
