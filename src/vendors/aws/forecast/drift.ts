import type { StackResourceDrift } from '@aws-sdk/client-cloudformation';
import type { Drift, DriftedResource } from '../../drift.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { act, look } from '../errors.ts';
import { findCloudStack, type Region } from '../region.ts';
import { type Fine, tolerate } from '../tolerate.ts';

/**
 * Checks this server began, by stack, until they are seen to have ended. AWS tells how a check goes only to who knows its
 * id, and not which one runs. So a server that did not begin it, or has started anew since, shows the result of the
 * check before for a minute or two, with its time, instead of `checking`.
 */
const checks = new WeakMap<Region, Map<string, string>>();

const checksIn = (region: Region): Map<string, string> => {
  const known = checks.get(region) ?? new Map<string, string>();
  checks.set(region, known);
  return known;
};

const runsAlready: Fine = { name: /^ValidationError$/, words: /drift detection.*(already|in progress)/i };
const notThere: Fine = { name: /^ValidationError$/, words: /does not exist|not found/i };

export async function startDriftCheck(region: Region, { id }: StackOnVendor): Promise<Answer> {
  return act(async () => {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack) return refused('The stack is not there yet.');
    const cloudFormation = await region.clients.cloudFormation();
    const begun = await tolerate(runsAlready, () =>
      cloudFormation.detectStackDrift({ StackName: stack.arn }),
    );
    if (begun?.StackDriftDetectionId) checksIn(region).set(id, begun.StackDriftDetectionId);
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
  // Kept until the next one: that it failed stands nowhere else. What it could compare counts nevertheless.
  const reason = check.DetectionStatusReason ?? 'AWS gives no reason.';
  return { ...found, state: 'failed', reason };
}

async function readCheck(region: Region, stackId: string) {
  const check = checksIn(region).get(stackId);
  if (!check) return undefined;
  const cloudFormation = await region.clients.cloudFormation();
  // AWS forgets old ones; what they found stands with the stack.
  return look(() =>
    tolerate(notThere, () =>
      cloudFormation.describeStackDriftDetectionStatus({ StackDriftDetectionId: check }),
    ),
  );
}

async function readLastCheck(region: Region, arn: string): Promise<Drift> {
  const cloudFormation = await region.clients.cloudFormation();
  const told = await look(() => tolerate(notThere, () => cloudFormation.describeStacks({ StackName: arn })));
  const { StackDriftStatus: status, LastCheckTimestamp } = told?.Stacks?.[0]?.DriftInformation ?? {};
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
    const page = await look(() =>
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
