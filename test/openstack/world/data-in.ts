import { cacheKey, stackKey, storeKey } from '../../../src/vendors/openstack/names.ts';
import { readByName } from '../../../src/vendors/openstack/observe/list-stacks.ts';
import { type HeatResource, readResources } from '../../../src/vendors/openstack/observe/resources.ts';
import type { Driver, StackOnVendor } from '../../../src/vendors/vendor.ts';
import type { Part } from '../../vendors/data-contract.ts';
import { paced } from './paced.ts';
import { patiently } from './steps.ts';
import type { OpenStackWorld } from './world.ts';

export interface Volume {
  id: string;
  size: number;
  status: string;
  attachments: { server_id: string }[];
  metadata: Record<string, string>;
}

interface Row {
  id: string;
  name: string;
  metadata?: Record<string, string>;
}

/** The resource that holds the data of a part. OpenStack has no shared files. */
const holders: Readonly<Record<Part, string>> = {
  database: 'Databaseapp',
  cache: 'RedisData0Ofsessions',
  files: 'Files0OfData0',
  shared: 'none',
  disk: 'Instance0OfData0',
};

/** Readings without anything new, one each second, after which Heat does nothing more by itself. */
const quietReadings = 4;

/** What the services of the cloud have, and the agents, which the world stands in for: nothing boots here. */
export function dataIn({ cloud }: OpenStackWorld, connect: () => Driver) {
  const list = async <T>(service: 'volumev3' | 'compute' | 'database', path: string, member: string) =>
    (await patiently(() => cloud.read<Record<string, T[]>>({ service, path })))[member] ?? [];
  const volumes = (): Promise<Volume[]> => list('volumev3', '/volumes/detail', 'volumes');
  const servers = (): Promise<Row[]> => list('compute', '/servers/detail', 'servers');
  const databases = (): Promise<Row[]> => list('database', '/instances', 'instances');

  const find = ({ id }: StackOnVendor) => patiently(() => readByName(cloud, id));
  const resourcesOf = async (stack: StackOnVendor): Promise<HeatResource[]> => {
    const found = await find(stack);
    return found ? patiently(() => readResources(cloud, found)) : [];
  };

  /** Volumes with data that exist for the stack, in it or kept. */
  const dataVolumes = async ({ id }: StackOnVendor): Promise<Volume[]> =>
    (await volumes()).filter(
      ({ metadata, status }) => metadata[stackKey] === id && storeKey in metadata && status !== 'deleting',
    );
  const used = async (stack: StackOnVendor): Promise<Set<string>> =>
    new Set((await resourcesOf(stack)).map(({ physicalId }) => physicalId));

  const storeIds = async (stack: StackOnVendor): Promise<string[]> => {
    const inStack = await used(stack);
    const own = (await servers()).filter(
      ({ metadata = {} }) => metadata[stackKey] === stack.id && !(cacheKey in metadata),
    );
    return [
      ...(await dataVolumes(stack)).filter(({ id }) => inStack.has(id)),
      ...own,
      ...(await databases()).filter(({ name }) => name.startsWith(`${stack.id}-`)),
    ].map(({ id }) => id);
  };

  const keptData = async (stack: StackOnVendor): Promise<string[]> => {
    const inStack = await used(stack);
    return (await dataVolumes(stack)).map(({ id }) => id).filter((id) => !inStack.has(id));
  };

  /** Nothing has content here: another id is other data. The content of a disk is that of the volume that its server boots from. */
  const contentOf = async (stack: StackOnVendor, part: Part): Promise<string | undefined> => {
    const resource = (await resourcesOf(stack)).find(({ name }) => name === holders[part]);
    const id = resource?.physicalId || undefined;
    const all = await volumes();
    if (part === 'disk')
      return all.find(({ attachments: [at], metadata }) => at?.server_id === id && !(storeKey in metadata))?.id;
    const holding = part === 'database' ? await databases() : all;
    return holding.find((each) => each.id === id)?.id;
  };

  const report = async (stack: StackOnVendor, resources: readonly HeatResource[]): Promise<void> => {
    const up = resources.filter(({ type, physicalId }) => type === 'OS::Nova::Server' && physicalId !== '');
    const reports = up.map(({ physicalId }) => ({ flag: '', instanceId: physicalId }));
    await patiently(async () => connect().reportUp?.(stack, reports));
  };

  /** Reports for the agents until nothing changes any more. */
  const untilAtRest = async (stack: StackOnVendor): Promise<void> => {
    await paced(
      async () => {
        const resources = await resourcesOf(stack);
        const statuses = [(await find(stack))?.status ?? '', ...resources.map(({ status }) => status)];
        const isBusy = statuses.some((status) => /_IN_PROGRESS$/.test(status)) || statuses[0] === 'DELETE_COMPLETE';
        if (isBusy) await report(stack, resources);
        return isBusy;
      },
      (isBusy) => !isBusy,
    );
    await paced(
      async () => (await volumes()).filter(({ metadata }) => metadata[stackKey] === stack.id),
      (all) => all.every(({ status }) => !/ing$/.test(status)),
    );
  };

  /** Without reports of agents, Heat ends nothing that waits for them. */
  const untilQuiet = async (stack: StackOnVendor): Promise<void> => {
    let last = '';
    let readings = 0;
    await paced(
      async () => {
        const seen = JSON.stringify([(await find(stack))?.status, await resourcesOf(stack)]);
        readings = seen === last ? readings + 1 : 0;
        last = seen;
      },
      () => readings >= quietReadings,
    );
  };

  return { volumes, storeIds, keptData, contentOf, untilAtRest, untilQuiet };
}
