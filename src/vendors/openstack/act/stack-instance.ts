import type { Instance, StackOnVendor } from '../../vendor.ts';
import { serverType } from '../layout/stores.ts';
import { type HeatStack, readByName } from '../observe/list-stacks.ts';
import { type HeatResource, readResources } from '../observe/resources.ts';
import { pathOf } from '../observe/stack-path.ts';
import type { Region } from '../region.ts';
import { readStackResources } from './data/stores.ts';
import { heal } from './heal.ts';
import { markUnhealthy, nestedDepth } from './missing-servers.ts';
import { convergeAgain } from './requests.ts';

/** A server of a stack, and its place in the group that made it. */
export interface StackInstance {
  stack: HeatStack;
  instance: Instance;
  server: HeatResource;
  /** The member of the group, in the group's own stack; undefined: the server is not in a group. */
  member: HeatResource | undefined;
}

/** Finds a server by its id; undefined: it is not a server of this stack. */
export async function findStackInstance(
  region: Region,
  { id: stackId }: StackOnVendor,
  instanceId: string,
): Promise<StackInstance | undefined> {
  const { value: servers } = await region.servers.get(region.pollMs);
  const instance = servers.get(stackId)?.instances.find(({ id }) => id === instanceId);
  const stack = instance && (await readByName(region.client, stackId));
  if (!stack) return undefined;
  const resources = await readResources(region.client, stack, { depth: nestedDepth });
  const server = resources.find(({ type, physicalId }) => type === serverType && physicalId === instanceId);
  if (!server) return undefined;
  return {
    stack,
    instance,
    server,
    member:
      server.stack === pathOf(stack) ? undefined : resources.find(({ nested }) => nested === server.stack),
  };
}

/** Being removed, for any reason. */
export const isLeaving = ({ instance: { state } }: StackInstance): boolean =>
  state === 'shutting-down' || state === 'terminated';

/** Heat creates the new member before it deletes the old one, and leaves the others as they are. */
export async function replaceMember(region: Region, stack: HeatStack, member: HeatResource): Promise<void> {
  await heal(region, stack, await readStackResources(region, stack));
  await markUnhealthy(region, member, 'Replaced by Almanac');
  await convergeAgain(region, stack);
}
