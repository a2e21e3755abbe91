import type { Change, DescribeChangeSetOutput, ResourceChange } from '@aws-sdk/client-cloudformation';
import type { Clock } from '../../../basics/clock.ts';
import { randomHex } from '../../../basics/random.ts';
import { type PlannedChange, type StackOnVendor, Unreachable } from '../../vendor.ts';
import type { StackRequest } from '../act/requests.ts';
import { ask } from '../errors.ts';
import { standingOf } from '../observe/statuses.ts';
import { findCloudStack, type Region } from '../region.ts';
import { tolerate } from '../tolerate.ts';
import { interruptionOf, lossOf, mayReplace } from './losses.ts';

/**
 * What CloudFormation itself says an update with this request would do. It knows what templates alone do not tell, such
 * as what somebody changed by hand. Undefined where it cannot tell: there is no stack, it changes just now, it does not
 * take the request, or it cannot be asked; the update would say why.
 */
export async function forecast(
  region: Region,
  { id }: StackOnVendor,
  request: StackRequest,
): Promise<PlannedChange[] | undefined> {
  try {
    const { value: stack } = await findCloudStack(region, id);
    if (!stack || standingOf(stack.status).kind === 'busy') return undefined;
    if (standingOf(stack.status).move !== 'update') return undefined;
    return await forecastOf(region, request);
  } catch (cause) {
    if (cause instanceof Unreachable || isAnswer(cause)) return undefined;
    throw cause;
  }
}

/** Everything AWS throws carries this; a mistake of ours does not. */
const isAnswer = (cause: unknown): boolean => cause instanceof Error && '$metadata' in cause;

async function forecastOf(region: Region, request: StackRequest): Promise<PlannedChange[] | undefined> {
  const cloudFormation = await region.clients.cloudFormation();
  const name = { StackName: request.StackName, ChangeSetName: `almanac-forecast-${randomHex(16)}` };
  const begun = await tolerate({ name: /^ValidationError$/, words: nothingToChange }, () =>
    cloudFormation.createChangeSet({ ...request, ...name, ChangeSetType: 'UPDATE' }),
  );
  if (!begun) return [];
  try {
    const made = await waitUntilMade(region, name);
    if (made?.Status === 'CREATE_COMPLETE') return plannedChanges(await readChanges(region, name, made));
    return made?.Status === 'FAILED' && nothingToChange.test(made.StatusReason ?? '') ? [] : undefined;
  } finally {
    // Deleting it is only tidying: it does nothing by itself, and goes with the stack at the latest.
    await cloudFormation.deleteChangeSet(name).catch(() => undefined);
  }
}

const nothingToChange = /didn't contain changes|no updates are to be performed/i;

interface ChangeSetName {
  StackName: string | undefined;
  ChangeSetName: string;
}

/** Somebody waits for the answer; a change set is usually made within ten seconds. */
const tries = 25;
const longestPauseMs = 1000;

async function waitUntilMade(
  { clients, clock, pollMs }: Region,
  name: ChangeSetName,
): Promise<DescribeChangeSetOutput | undefined> {
  const cloudFormation = await clients.cloudFormation();
  for (let left = tries; left > 0; left -= 1) {
    const seen = await ask(() => cloudFormation.describeChangeSet(name));
    if (seen.Status !== 'CREATE_PENDING' && seen.Status !== 'CREATE_IN_PROGRESS') return seen;
    await pause(clock, Math.min(pollMs, longestPauseMs));
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
    const page = await ask(() => cloudFormation.describeChangeSet({ ...name, NextToken: next }));
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
  const { LogicalResourceId: resource = '', ResourceType: resourceType = '', PolicyAction: policy } = change;
  const plain = { resource, resourceType, members: [], warning: '' };
  // `Retain`, `Snapshot`, or the same as `ReplaceAndRetain`, `ReplaceAndSnapshot`.
  const warning = lossOf(resourceType, resource, policy?.replace('ReplaceAnd', ''));
  if (change.Action === 'Add') return [{ ...plain, action: 'add' }];
  if (change.Action === 'Remove') return [{ ...plain, action: 'remove', warning }];
  // The version stands in the metadata of the network and changes always.
  if (change.Scope?.length && change.Scope.every((attribute) => attribute === 'Metadata')) return [];
  const members = changedMembers(change);
  if (isReplaced(change)) return [{ ...plain, action: 'replace', members, warning }];
  return [{ ...plain, action: 'change', members, warning: interruptionOf(resourceType, members) }];
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
