import { serverType, storeIn } from '../layout/stores.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import type { HeatResource } from '../observe/resources.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import type { Region } from '../region.ts';
import type { StackResources } from './data/stores.ts';
import { isUnwanted } from './half-replaced.ts';
import { findMissing, markHealthy, markUnhealthy } from './missing-servers.ts';

const notThere = /not ?found|could not be found/i;

/**
 * Decides what Heat replaces besides what the template changes: servers that were deleted outside it, and nothing else. By
 * itself it replaces whatever a check found in another state than usual, such as a database during its backup, and databases
 * whose last change failed. Returns a sentence about the missing servers; empty: there are none.
 */
export async function heal(
  region: Region,
  stack: HeatStack,
  { resources, stores }: StackResources,
): Promise<string> {
  const mayMark = region.dialect.capabilities.patch && phaseOf(stack.status).kind !== 'busy';
  if (!mayMark) return '';
  const missing = new Set(await findMissing(region, stack, resources));
  const held = new Set(stores.map(({ resource }) => resource));
  const replacements = new Set(stores.filter(({ isHidden }) => isHidden).map(({ resource }) => resource));
  for (const resource of resources)
    if (!missing.has(resource) && !replacements.has(resource) && needsHealing(resource, held))
      await markHealthy(region, resource);
  for (const server of missing)
    if (server.status !== 'CHECK_FAILED') await markUnhealthy(region, server, 'Deleted outside Almanac');
  const names = [...missing].map(({ physicalId }) => physicalId).join(', ');
  return names && `Servers that were deleted outside Almanac are created again: ${names}.`;
}

/** A server outside groups that is in an error after a failed change: Heat would replace it, and its disk. */
const isDisk = ({ name, type }: HeatResource): boolean => storeIn(name, type)?.kind === 'disk';

/** What contains other resources fails because of them: Heat looks into it again in every update. */
function needsHealing(resource: HeatResource, held: ReadonlySet<HeatResource>): boolean {
  const { status, reason, nested, type } = resource;
  if (isUnwanted(resource)) return false;
  if (held.has(resource)) return status.endsWith('_FAILED') && !status.startsWith('DELETE_');
  if (status === 'UPDATE_FAILED') return isDisk(resource);
  if (status !== 'CHECK_FAILED') return false;
  return nested !== '' || type === serverType || !notThere.test(reason);
}
