import type { ObservedStore } from '../../data.ts';
import type { CacheNode, DatabaseInstance, Instance } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { storesOfResource } from '../data.ts';
import type { ResourceType } from '../document.ts';
import { observing } from '../errors.ts';
import * as names from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import type { StackDetails } from './stack-details.ts';
import { mayHoldData, phaseOf } from './stack-phase.ts';
import { stateKey } from './versions.ts';

/** A resource of a stack that has stores. */
export interface Placed {
  resource: string;
  type: string;
  /** The physical id; not used for servers, of which one resource has several. */
  id: string;
}

const database: ResourceType = 'ALIYUN::RDS::DBInstance';
const redis: ResourceType = 'ALIYUN::REDIS::Instance';
const servers: ResourceType = 'ALIYUN::ECS::InstanceGroup';

export const idsOf = (placed: readonly Placed[], wanted: 'database' | 'cache'): string[] =>
  placed.filter(({ type }) => type === (wanted === 'database' ? database : redis)).map(({ id }) => id);

/** Own outputs name every store of a stack at rest. A layer with an output about its servers and none about a group is fixed. */
function placedByOutputs({ outputs }: StackDetails): Placed[] {
  const placedAt = (key: string, value: string, [start, name, type]: readonly [string, string, string]) =>
    key.startsWith(start) ? [{ resource: `${name}${key.slice(start.length)}`, type, id: value }] : [];
  const isFixed = (key: string): boolean =>
    !outputs.has(`${names.groupOutput('')}${key.slice(names.launchOutput('').length)}`);
  return [...outputs].flatMap(([key, { value }]) => [
    ...placedAt(key, value, [names.databaseOutput(''), names.database(''), database]),
    ...placedAt(key, value, [names.redisOutput(''), names.redis(''), redis]),
    ...(isFixed(key) ? placedAt(key, '', [names.launchOutput(''), names.instances(''), servers]) : []),
  ]);
}

interface ResourceRow {
  LogicalResourceId?: string;
  ResourceType?: string;
  PhysicalResourceId?: string;
  Status?: string;
}

/** What ROS itself lists, whatever the outputs say. */
export async function listPlaced(clients: Clients, { rosId }: CloudStack): Promise<Placed[]> {
  const { Resources = [] } = await clients.call<{ Resources?: readonly ResourceRow[] }>({
    service: 'ros',
    action: 'ListStackResources',
    query: { StackId: rosId },
  });
  return Resources.filter(
    ({ PhysicalResourceId, Status }) => PhysicalResourceId && Status !== 'DELETE_COMPLETE',
  ).map((row) => ({
    resource: row.LogicalResourceId ?? '',
    type: row.ResourceType ?? '',
    id: row.PhysicalResourceId ?? '',
  }));
}

/** Outputs may be missing after a failure: then the resources are listed, once for each state. */
export async function readPlaced(
  region: Region,
  stack: CloudStack,
  details: StackDetails,
): Promise<readonly Placed[]> {
  if (phaseOf(stack.status).kind !== 'broken') return placedByOutputs(details);
  const state = stateKey(stack);
  const known = region.placed.get(stack.stackId);
  if (known?.state === state) return known.placed;
  const placed = await observing(() => listPlaced(region.clients, stack));
  region.placed.set(stack.stackId, { state, placed });
  return placed;
}

interface Seen {
  stack: CloudStack;
  details: StackDetails;
  instances: readonly Instance[];
  databases: readonly DatabaseInstance[];
  caches: readonly CacheNode[];
}

/** Another image gives a server another disk, and leaves it its id. */
const diskId = ({ id, image }: Instance): string => `${id}:${image}`;
/** The server of a disk or of its files. */
export const serverOf = (storeId: string): string => storeId.split(':')[0] ?? '';

/** The stores of these resources that exist. What was never complete holds no data yet. */
export function storesSeen(placed: readonly Placed[], seen: Seen): ObservedStore[] {
  const isOld = mayHoldData(seen.stack.status);
  const physicalIn = ({ resource, id }: Placed, kind: ObservedStore['kind']) => {
    const serversIn = seen.instances.filter(({ flag }) => names.instances(flag) === resource);
    if (kind === 'disk') return serversIn.map((server) => ({ id: diskId(server), state: '', sizeGib: null }));
    if (kind === 'files')
      return serversIn.map((server) => ({ id: `${diskId(server)}:files`, state: '', sizeGib: null }));
    if (kind === 'cache')
      return seen.caches
        .filter((cache) => cache.id === id)
        .map(({ state }) => ({ id, state, sizeGib: null }));
    return seen.databases
      .filter((each) => each.id === id)
      .map(({ state, storageGib }) => ({ id, state, sizeGib: storageGib }));
  };
  return placed.flatMap((each) =>
    storesOfResource(each.resource, each.type, seen.details.outputs).flatMap((store) =>
      physicalIn(each, store.kind).map(({ state, ...physical }) => ({
        ...store,
        ...physical,
        usable: isOld && state !== 'Creating',
      })),
    ),
  );
}
