import type { StoreKind } from '../../../model/data-choice.ts';
import type { DeclaredStore, ObservedStore } from '../../data.ts';
import type { CacheNode, DatabaseInstance, Instance } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { storesOfResource } from '../data.ts';
import type { ResourceType } from '../document.ts';
import { observing } from '../errors.ts';
import * as names from '../names.ts';
import type { Region } from '../region.ts';
import type { CloudStack } from './list-stacks.ts';
import type { Placed } from './placed.ts';
import type { StackDetails } from './stack-details.ts';
import { mayHoldData, phaseOf } from './stack-phase.ts';
import { stateKey } from './versions.ts';

const database: ResourceType = 'ALIYUN::RDS::DBInstance';
const redis: ResourceType = 'ALIYUN::REDIS::Instance';
const servers: ResourceType = 'ALIYUN::ECS::InstanceGroup';

export const idsOf = (placed: readonly Placed[], wanted: 'database' | 'cache'): string[] =>
  placed.filter(({ type }) => type === (wanted === 'database' ? database : redis)).map(({ id }) => id);

/** Own outputs by their start, and the resources that they are about. */
const origins: readonly [output: string, resource: string, type: ResourceType][] = [
  [names.databaseOutput(''), names.database(''), database],
  [names.redisOutput(''), names.redis(''), redis],
  [names.launchOutput(''), names.instances(''), servers],
];

function placedAs(key: string, id: string): Placed | undefined {
  const [output = '', resource, type] = origins.find(([start]) => key.startsWith(start)) ?? [];
  return type && { resource: `${resource}${key.slice(output.length)}`, type, id };
}

/** Own outputs name every store of a stack at rest. A layer with an output about its servers and none about a group is fixed. */
function placedByOutputs({ outputs }: StackDetails): Placed[] {
  const isGroup = ({ resource }: Placed): boolean =>
    outputs.has(resource.replace(names.instances(''), names.groupOutput('')));
  return [...outputs]
    .flatMap(([key, { value }]) => placedAs(key, value) ?? [])
    .filter((placed) => placed.type !== servers || !isGroup(placed));
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

/** Whether a resource has more than the disks of servers. */
export const hasData = ({ resource, type }: Placed, { outputs }: StackDetails): boolean =>
  storesOfResource(resource, type, outputs).some(({ kind }) => kind !== 'disk');

interface Seen {
  stack: CloudStack;
  details: StackDetails;
  instances: readonly Instance[];
  databases: readonly DatabaseInstance[];
  caches: readonly CacheNode[];
}

/** Another image gives a server another disk, and leaves it its id. */
const diskId = ({ id, image }: Instance): string => `${id}:${image}`;
export const filesId = (server: Instance): string => `${diskId(server)}:files`;
/** The server of a disk or of its files. */
export const serverOf = (storeId: string): string => storeId.split(':')[0] ?? '';

interface Physical {
  id: string;
  state?: string;
  sizeGib?: number;
}

const serversIn = ({ resource }: Placed, { instances }: Seen): Instance[] =>
  instances.filter(({ flag }) => names.instances(flag) === resource);

/** What exists of a resource. */
const physicals: Readonly<Record<StoreKind, (placed: Placed, seen: Seen) => Physical[]>> = {
  database: ({ id }, { databases }) =>
    databases
      .filter((each) => each.id === id)
      .map(({ state, storageGib }) => ({ id, state, sizeGib: storageGib })),
  cache: ({ id }, { caches }) => caches.filter((each) => each.id === id).map(({ state }) => ({ id, state })),
  disk: (placed, seen) => serversIn(placed, seen).map((server) => ({ id: diskId(server) })),
  files: (placed, seen) => serversIn(placed, seen).map((server) => ({ id: filesId(server) })),
};

/** What was never complete holds no data yet. */
const observedStore = (
  store: DeclaredStore,
  { id, state, sizeGib }: Physical,
  { status }: CloudStack,
): ObservedStore => ({
  ...store,
  id,
  sizeGib: sizeGib ?? null,
  usable: mayHoldData(status) && state !== 'Creating',
});

/** The stores of these resources that exist. */
export const storesSeen = (placed: readonly Placed[], seen: Seen): ObservedStore[] =>
  placed.flatMap((each) =>
    storesOfResource(each.resource, each.type, seen.details.outputs).flatMap((store) =>
      physicals[store.kind](each, seen).map((physical) => observedStore(store, physical, seen.stack)),
    ),
  );
