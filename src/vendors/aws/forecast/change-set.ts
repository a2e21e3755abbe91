import type { Change, DescribeChangeSetOutput, ResourceChange } from '@aws-sdk/client-cloudformation';
import type { Clock } from '../../../basics/clock.ts';
import { randomHex } from '../../../basics/random.ts';
import { type PlannedChange, type StackOnVendor, Unreachable } from '../../vendor.ts';
import type { StackRequest } from '../act/requests.ts';
import { callAws, ignoreError } from '../errors.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import { findCloudStack, type Region } from '../region.ts';
import { interruptionWarning, lossWarning, mayReplace } from './impact.ts';

/**
 * Asks CloudFormation what an update with this request would do. Unlike a comparison of templates, the result includes
 * manual changes. Undefined if there is no answer: no stack, a stack in progress, a rejected request, or AWS is
 * unreachable. The update itself would report the reason.
 */
export async function forecast(
  region: Region,
  { id }: StackOnVendor,
  request: StackRequest,
): Promise<PlannedChange[] | undefined> {
  try {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack || phaseOf(stack.status).kind === 'busy') return undefined;
    if (phaseOf(stack.status).move !== 'update') return undefined;
    return await forecastOf(region, request);
  } catch (cause) {
    if (cause instanceof Unreachable || isAwsError(cause)) return undefined;
    throw cause;
  }
}

/** Every error from the SDK has this member; a bug in Almanac does not. */
const isAwsError = (cause: unknown): boolean => cause instanceof Error && '$metadata' in cause;

async function forecastOf(region: Region, request: StackRequest): Promise<PlannedChange[] | undefined> {
  const cloudFormation = await region.clients.cloudFormation();
  const name = { StackName: request.StackName, ChangeSetName: `almanac-forecast-${randomHex(16)}` };
  const created = await ignoreError({ name: /^ValidationError$/, message: noChanges }, () =>
    cloudFormation.createChangeSet({ ...request, ...name, ChangeSetType: 'UPDATE' }),
  );
  if (!created) return [];
  try {
    const ready = await waitUntilReady(region, name);
    if (ready?.Status === 'CREATE_COMPLETE') return plannedChanges(await readChanges(region, name, ready));
    return ready?.Status === 'FAILED' && noChanges.test(ready.StatusReason ?? '') ? [] : undefined;
  } finally {
    // Best effort: a change set has no effect, and is deleted with the stack at the latest.
    await cloudFormation.deleteChangeSet(name).catch(() => undefined);
  }
}

const noChanges = /didn't contain changes|no updates are to be performed/i;

interface ChangeSetName {
  StackName: string | undefined;
  ChangeSetName: string;
}

/** A caller waits for the result. A change set is usually ready within ten seconds. */
const maxAttempts = 25;
const maxPauseMs = 1000;

async function waitUntilReady(
  { clients, clock, pollMs }: Region,
  name: ChangeSetName,
): Promise<DescribeChangeSetOutput | undefined> {
  const cloudFormation = await clients.cloudFormation();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const changeSet = await callAws(() => cloudFormation.describeChangeSet(name));
    if (changeSet.Status !== 'CREATE_PENDING' && changeSet.Status !== 'CREATE_IN_PROGRESS') return changeSet;
    await pause(clock, Math.min(pollMs, maxPauseMs));
  }
  return undefined;
}

const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

async function readChanges(
  { clients }: Region,
  name: ChangeSetName,
  first: DescribeChangeSetOutput,
): Promise<Change[]> {
  const cloudFormation = await clients.cloudFormation();
  const changes = [...(first.Changes ?? [])];
  let token = first.NextToken;
  while (token) {
    const next = token;
    const page = await callAws(() => cloudFormation.describeChangeSet({ ...name, NextToken: next }));
    changes.push(...(page.Changes ?? []));
    token = page.NextToken;
  }
  return changes;
}

const plannedChanges = (changes: readonly Change[]): PlannedChange[] =>
  changes
    .flatMap(({ ResourceChange: change }) => (change ? plannedChangeOf(change) : []))
    .toSorted((one, other) => (one.resource < other.resource ? -1 : 1));

function plannedChangeOf(change: ResourceChange): PlannedChange[] {
  const { LogicalResourceId: resource = '', ResourceType: resourceType = '' } = change;
  const plain = { resource, resourceType, members: [], warning: '' };
  const warning = lossWarning(resourceType);
  if (change.Action === 'Add') return [{ ...plain, action: 'add' }];
  if (change.Action === 'Remove') return [{ ...plain, action: 'remove', warning }];
  // The metadata of the network contains the version, which changes in every update.
  if (change.Scope?.length && change.Scope.every((attribute) => attribute === 'Metadata')) return [];
  const members = changedMembers(change);
  if (isReplaced(change)) return [{ ...plain, action: 'replace', members, warning }];
  return [{ ...plain, action: 'change', members, warning: interruptionWarning(resourceType, members) }];
}

function changedMembers({ Details = [] }: ResourceChange): string[] {
  const members = Details.flatMap(({ Target }) =>
    Target?.Attribute === 'Properties' ? (Target.Name ?? []) : (Target?.Attribute ?? []),
  );
  return [...new Set(members)].filter((member) => member !== 'Metadata').toSorted();
}

function isReplaced({ Replacement, ResourceType = '', Details = [] }: ResourceChange): boolean {
  if (Replacement !== 'Conditional') return Replacement === 'True';
  const decisive = Details.filter(({ Target }) => (Target?.RequiresRecreation ?? 'Never') !== 'Never');
  return decisive.length === 0 || decisive.some(({ Target }) => mayReplace(ResourceType, Target?.Name ?? ''));
}
