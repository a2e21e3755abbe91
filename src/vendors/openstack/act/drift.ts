import type { Drift, DriftedResource } from '../../drift.ts';
import { type Answer, accepted, refused, type StackOnVendor } from '../../vendor.ts';
import { toAnswer } from '../errors.ts';
import { readLastEventTime } from '../observe/events.ts';
import { isSettled } from '../observe/hidden-failure.ts';
import { readByName } from '../observe/list-stacks.ts';
import { type HeatResource, readResources } from '../observe/resources.ts';
import type { Region } from '../region.ts';
import { notSettled } from './not-settled.ts';
import { requestAction } from './requests.ts';

export const startDriftCheck = (region: Region, { id }: StackOnVendor): Promise<Answer> =>
  toAnswer(async () => {
    const stack = await readByName(region.client, id);
    if (!stack) return refused('The stack does not exist in the cloud yet.');
    if (stack.status === 'CHECK_IN_PROGRESS') return accepted;
    if (!(await isSettled(region, stack))) return notSettled(stack);
    await requestAction(region, stack, 'check');
    region.operations.accept(id, { doing: 'apply', version: stack.version });
    return accepted;
  });

const neverChecked: Drift = { state: 'never_checked', checkedAt: null, reason: '', resources: [] };

const limits =
  'OpenStack compares servers, volumes, key pairs and groups only: changes of networks, security groups and load balancers are not found.';

const nestedDepth = 3;

/** The result stays until the next operation on the stack. */
export async function readDrift({ client }: Region, { id }: StackOnVendor): Promise<Drift> {
  const stack = await readByName(client, id);
  if (stack?.status === 'CHECK_IN_PROGRESS') return { ...neverChecked, state: 'checking' };
  if (!stack || !stack.status.startsWith('CHECK_')) return neverChecked;
  const checkedAt = await readLastEventTime(client, stack);
  if (stack.status === 'CHECK_COMPLETE')
    return { state: 'in_sync', checkedAt, reason: limits, resources: [] };
  const resources = await readResources(client, stack, { depth: nestedDepth });
  return { state: 'drifted', checkedAt, reason: limits, resources: driftedIn(resources) };
}

/** A group, and a member of it, fails because of what is in it: only the innermost is reported. */
function driftedIn(resources: readonly HeatResource[]): DriftedResource[] {
  const failed = resources.filter(({ status }) => status === 'CHECK_FAILED');
  const innermost = failed.filter(({ nested }) => !nested || !failed.some(({ stack }) => stack === nested));
  return innermost
    .map(({ name, type, reason }) => ({
      resource: name,
      resourceType: type,
      kind: /not ?found|could not be found/i.test(reason) ? ('deleted' as const) : ('changed' as const),
      members: [],
    }))
    .toSorted((one, other) => (one.resource < other.resource ? -1 : 1));
}
