import { stackKey, storeKey } from '../../../src/vendors/openstack/names.ts';
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

const isInProgress = ({ status }: { status: string }): boolean =>
  /_IN_PROGRESS$|^DELETE_COMPLETE$/.test(status);

const awaitsAgents = (resource: HeatResource): boolean =>
  resource.type === 'OS::Heat::WaitCondition' && isInProgress(resource);

/** What the services of the cloud have. Nothing boots here, so that it reports for the agents. */
export class DataIn {
  readonly #cloud: OpenStackWorld['cloud'];
  readonly #connect: () => Driver;

  constructor({ cloud }: OpenStackWorld, connect: () => Driver) {
    this.#cloud = cloud;
    this.#connect = connect;
  }

  async #list<T>(service: 'volumev3' | 'compute' | 'database', path: string): Promise<readonly T[]> {
    const answer = await patiently(() => this.#cloud.read<Record<string, T[]>>({ service, path }));
    return answer[path.split('/')[1] ?? ''] ?? [];
  }

  volumes = (): Promise<readonly Volume[]> => this.#list('volumev3', '/volumes/detail');
  /** Without details: for these, Nova asks Neutron many times. */
  readonly #servers = (): Promise<readonly Row[]> => this.#list('compute', '/servers');
  readonly #databases = (): Promise<readonly Row[]> => this.#list('database', '/instances');

  /** The stack in Heat and its resources, as far as they exist. */
  async #parts({ id }: StackOnVendor) {
    const stack = await patiently(() => readByName(this.#cloud, id));
    const resources = stack ? await patiently(() => readResources(this.#cloud, stack)) : [];
    return { stack, resources };
  }

  /** Volumes with data: those in the stack, and those that are kept outside it. */
  async #dataVolumes(of: StackOnVendor): Promise<{ used: Volume[]; kept: Volume[] }> {
    const { resources } = await this.#parts(of);
    const inStack = new Set(resources.map(({ physicalId }) => physicalId));
    const all = (await this.volumes()).filter(
      ({ metadata, status }) => metadata[stackKey] === of.id && storeKey in metadata && status !== 'deleting',
    );
    return { used: all.filter(({ id }) => inStack.has(id)), kept: all.filter(({ id }) => !inStack.has(id)) };
  }

  async storeIds(of: StackOnVendor): Promise<string[]> {
    const isOwn = ({ name }: Row): boolean => name.startsWith(`${of.id}-`);
    const isNode = ({ name }: Row): boolean => /-sessions-\d+$/.test(name);
    const servers = (await this.#servers()).filter((server) => isOwn(server) && !isNode(server));
    const databases = (await this.#databases()).filter(isOwn);
    return [...(await this.#dataVolumes(of)).used, ...servers, ...databases].map(({ id }) => id);
  }

  async keptData(of: StackOnVendor): Promise<string[]> {
    return (await this.#dataVolumes(of)).kept.map(({ id }) => id);
  }

  /** Nothing has content here: another id is other data. The content of a disk is that of the volume that its server boots from. */
  async contentOf(of: StackOnVendor, part: Part): Promise<string | undefined> {
    const { resources } = await this.#parts(of);
    const id = resources.find(({ name }) => name === holders[part])?.physicalId;
    if (part === 'database') return (await this.#databases()).find((each) => each.id === id)?.id;
    const isContent = ({ id: own, attachments: [at], metadata }: Volume): boolean =>
      part === 'disk' ? at?.server_id === id && !(storeKey in metadata) : own === id;
    return id ? (await this.volumes()).find(isContent)?.id : undefined;
  }

  async #report(of: StackOnVendor, resources: readonly HeatResource[]): Promise<void> {
    if (!resources.some(awaitsAgents)) return;
    const up = resources.filter(({ type, physicalId }) => type === 'OS::Nova::Server' && physicalId !== '');
    const reports = up.map(({ physicalId }) => ({ flag: '', instanceId: physicalId }));
    await patiently(async () => this.#connect().reportUp?.(of, reports));
  }

  /** Reports for the agents until nothing changes any more. */
  async untilAtRest(of: StackOnVendor): Promise<void> {
    await paced(
      async () => {
        const { stack, resources } = await this.#parts(of);
        await this.#report(of, resources);
        return [...(stack ? [stack] : []), ...resources].filter(isInProgress);
      },
      (busy) => busy.length === 0,
    );
    await paced(
      async () => (await this.volumes()).filter(({ metadata }) => metadata[stackKey] === of.id),
      (all) => !all.some(({ status }) => status.endsWith('ing')),
    );
  }

  /** Heat ends nothing that waits for agents. */
  async untilQuiet(of: StackOnVendor): Promise<void> {
    let last = '';
    let readings = 0;
    await paced(
      async () => {
        const seen = JSON.stringify(await this.#parts(of));
        readings = seen === last ? readings + 1 : 0;
        last = seen;
        return readings;
      },
      (found) => found >= quietReadings,
    );
  }
}
