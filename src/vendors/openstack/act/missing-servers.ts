import { unlessDeleted } from '../errors.ts';
import { serverType } from '../layout/stores.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { type HeatResource, readResources } from '../observe/resources.ts';
import type { Region } from '../region.ts';

export const nestedDepth = 3;

export const readServers = ({ client }: Region, stack: HeatStack): Promise<HeatResource[]> =>
  readResources(client, stack, { depth: nestedDepth, type: serverType });

/** Heat replaces an unhealthy resource at the next update, and one whose last operation failed; a healthy one stays. */
async function mark(
  { client }: Region,
  { stack, name }: Pick<HeatResource, 'stack' | 'name'>,
  { unhealthy, reason }: { unhealthy: boolean; reason: string },
): Promise<void> {
  await client.change({
    service: 'orchestration',
    method: 'PATCH',
    path: `${stack}/resources/${name}`,
    body: { mark_unhealthy: unhealthy, resource_status_reason: reason },
  });
}

export const markUnhealthy = (region: Region, resource: HeatResource, reason: string): Promise<void> =>
  mark(region, resource, { unhealthy: true, reason });

/** Heat calls only those healthy that were unhealthy before. */
export async function markHealthy(region: Region, resource: HeatResource): Promise<void> {
  const reason = 'Kept by Almanac';
  if (resource.status !== 'CHECK_FAILED') await mark(region, resource, { unhealthy: true, reason });
  await mark(region, resource, { unhealthy: false, reason });
}

/** Heat does not notice that a server was deleted outside it. */
export async function findMissing(
  region: Region,
  { stackId }: HeatStack,
  resources: readonly HeatResource[],
): Promise<HeatResource[]> {
  const suspects = resources.filter(
    ({ type, physicalId, status }) =>
      type === serverType && physicalId && /_COMPLETE$|^(CHECK|UPDATE)_FAILED$/.test(status),
  );
  const missing: HeatResource[] = [];
  const { value: servers } = await region.servers.get(region.pollMs);
  const alive = new Set((servers.get(stackId)?.instances ?? []).map(({ id }) => id));
  for (const server of suspects)
    if (!alive.has(server.physicalId) && (await isDeleted(region, server.physicalId))) missing.push(server);
  return missing;
}

export const isDeleted = async ({ client }: Region, id: string): Promise<boolean> =>
  (await unlessDeleted(() => client.read({ service: 'compute', path: `/servers/${id}` }))) === undefined;
