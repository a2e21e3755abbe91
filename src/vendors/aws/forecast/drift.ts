import type { StackResourceDrift } from '@aws-sdk/client-cloudformation';
import type { Drift, DriftedResource } from '../../drift.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { type ExpectedError, ignoreError, readAws, toAnswer } from '../errors.ts';
import { findCloudStack, type Region } from '../region.ts';

/**
 * Ids of running checks that this server started, by stack. AWS reports progress only by id and cannot list running
 * checks. So a server that did not start the check, or was restarted, shows the previous result with its time for a
 * minute or two, instead of `checking`.
 */
const checks = new WeakMap<Region, Map<string, string>>();

const checksIn = (region: Region): Map<string, string> => {
  const known = checks.get(region) ?? new Map<string, string>();
  checks.set(region, known);
  return known;
};

const alreadyRunning: ExpectedError = {
  name: /^ValidationError$/,
  message: /drift detection.*(already|in progress)/i,
};
const notFound: ExpectedError = { name: /^ValidationError$/, message: /does not exist|not found/i };

export async function startDriftCheck(region: Region, { id }: StackOnVendor): Promise<Answer> {
  return toAnswer(async () => {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack does not exist on AWS yet.');
    const cloudFormation = await region.clients.cloudFormation();
    const started = await ignoreError(alreadyRunning, () =>
      cloudFormation.detectStackDrift({ StackName: stack.arn }),
    );
    if (started?.StackDriftDetectionId) checksIn(region).set(id, started.StackDriftDetectionId);
    return accepted;
  });
}

const neverChecked: Drift = { state: 'never_checked', checkedAt: null, reason: '', resources: [] };

export async function readDrift(region: Region, { id }: StackOnVendor): Promise<Drift> {
  const { value: stack } = await findCloudStack(region, id);
  if (!stack) return neverChecked;
  const check = await readCheck(region, id);
  if (check?.DetectionStatus === 'DETECTION_IN_PROGRESS') return { ...neverChecked, state: 'checking' };
  const found = await readLastCheck(region, stack.arn);
  if (check?.DetectionStatus !== 'DETECTION_FAILED') {
    checksIn(region).delete(id);
    return found;
  }
  // Keep the id: AWS reports the failure only by id. The resources that were compared are still valid.
  const reason = check.DetectionStatusReason ?? 'AWS gives no reason.';
  return { ...found, state: 'failed', reason };
}

async function readCheck(region: Region, stackId: string) {
  const check = checksIn(region).get(stackId);
  if (!check) return undefined;
  const cloudFormation = await region.clients.cloudFormation();
  // AWS drops old checks; their result stays with the stack.
  return readAws(() =>
    ignoreError(notFound, () =>
      cloudFormation.describeStackDriftDetectionStatus({ StackDriftDetectionId: check }),
    ),
  );
}

async function readLastCheck(region: Region, arn: string): Promise<Drift> {
  const cloudFormation = await region.clients.cloudFormation();
  const response = await readAws(() =>
    ignoreError(notFound, () => cloudFormation.describeStacks({ StackName: arn })),
  );
  const { StackDriftStatus: status, LastCheckTimestamp } = response?.Stacks?.[0]?.DriftInformation ?? {};
  const checkedAt = LastCheckTimestamp?.getTime() ?? null;
  if (status === 'IN_SYNC') return { ...neverChecked, state: 'in_sync', checkedAt };
  if (status === 'DRIFTED')
    return { ...neverChecked, state: 'drifted', checkedAt, resources: await readDrifted(region, arn) };
  if (status !== 'UNKNOWN') return neverChecked;
  const reason = 'AWS could not compare every resource of the stack.';
  return { state: 'failed', checkedAt, reason, resources: await readDrifted(region, arn) };
}

async function readDrifted(region: Region, arn: string): Promise<DriftedResource[]> {
  const cloudFormation = await region.clients.cloudFormation();
  const drifted: DriftedResource[] = [];
  let token: string | undefined;
  do {
    const page = await readAws(() =>
      cloudFormation.describeStackResourceDrifts({
        StackName: arn,
        StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'],
        MaxResults: 100,
        ...(token ? { NextToken: token } : {}),
      }),
    );
    drifted.push(...(page.StackResourceDrifts ?? []).map(driftedResourceOf));
    token = page.NextToken;
  } while (token);
  return drifted.toSorted((one, other) => (one.resource < other.resource ? -1 : 1));
}

const driftedResourceOf = (drift: StackResourceDrift): DriftedResource => ({
  resource: drift.LogicalResourceId ?? '',
  resourceType: drift.ResourceType ?? '',
  kind: drift.StackResourceDriftStatus === 'DELETED' ? 'deleted' : 'changed',
  members: (drift.PropertyDifferences ?? []).map(({ PropertyPath = '', ExpectedValue, ActualValue }) => ({
    path: PropertyPath.replace(/^\//, ''),
    expected: ExpectedValue ?? '',
    actual: ActualValue ?? '',
  })),
});
