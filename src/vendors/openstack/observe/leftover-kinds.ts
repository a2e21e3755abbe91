import { releaseKey, stackKey, storeKey } from '../names.ts';
import type { Service } from '../session.ts';
import { isDeleteRelease } from './list-volumes.ts';

/** A resource as any of the services lists it. */
export interface Row {
  id: string;
  name?: string | null;
  description?: string | null;
  /** Of a floating IP address: the port that it leads to. */
  port_id?: string | null;
  /** Of a load balancer: the network of its address. */
  vip_network_id?: string | null;
  metadata?: Readonly<Record<string, string>>;
  status?: string;
  'OS-EXT-STS:task_state'?: string | null;
  provisioning_status?: string;
}

/** Whether a resource belongs to a stack. Stack ids are random and of equal length, so none is the start of another. */
type Belongs = (row: Row, stackId: string) => boolean;

const byMetadata: Belongs = ({ metadata }, stackId) => metadata?.[stackKey] === stackId;

/** Volumes with data stay until a caller releases them. */
const mayBeDeleted = ({ metadata = {} }: Row): boolean =>
  metadata[storeKey] === undefined || isDeleteRelease(metadata[releaseKey] ?? '');

const startsWithId = (text: string | null | undefined, stackId: string): boolean =>
  text === stackId || (text?.startsWith(`${stackId}-`) ?? false);

/** Those that Almanac gives. */
const byName =
  (...ends: string[]): Belongs =>
  ({ name }, stackId) =>
    ends.some((end) => name === `${stackId}${end}`);

/** Heat makes a name of the stack, the resource and twelve random letters, and of every nested stack before. */
const heatName = /^(-\w+-[a-z2-7]{12})+$/;
export const byHeatName: Belongs = ({ name }, stackId) =>
  startsWithId(name, stackId) && heatName.test(name?.slice(stackId.length) ?? '');

const byDescription: Belongs = ({ description }, stackId) => startsWithId(description, stackId);

/** How the cloud lists and deletes one kind of resource. */
export interface Kind {
  service: Service;
  list: string;
  /** The member of the answer. */
  member: string;
  delete: (id: string) => string;
  isOf: Belongs;
  /** For those that another thing of the stack may assign to it. */
  mayBeOf?: Belongs;
  /**
   * The service has a role of its own. Heat makes resources with the roles of the user, so a user who may not even list them has
   * none; if the role was taken away later, Heat cannot delete them, nor the network that they are in, and says so.
   */
  hasOwnRole?: true;
}

const network = (collection: string, members: readonly (keyof Row)[], isOf: Belongs): Kind => ({
  service: 'network',
  list: `/v2.0/${collection}?fields=id${members.map((member) => `&fields=${member}`).join('')}`,
  member: collection.replace('-', '_'),
  delete: (id) => `/v2.0/${collection}/${id}`,
  isOf,
});

/**
 * What an engine of Heat may leave if it is killed between the creation of a resource and its record of it. In the order in
 * which they can be deleted. Databases are not among them: nobody but Heat deletes data. A person, and Trove for the server of a
 * database, may use a name that starts with the id of the stack: what may hold data counts by its metadata only, and the rest by
 * what no one else writes. Tags would not do: Heat adds them after the creation.
 */
export const kinds: readonly Kind[] = [
  {
    service: 'compute',
    list: '/servers/detail',
    member: 'servers',
    delete: (id) => `/servers/${id}`,
    isOf: byMetadata,
  },
  {
    service: 'compute',
    list: '/os-keypairs',
    member: 'keypairs',
    delete: (name) => `/os-keypairs/${encodeURIComponent(name)}`,
    isOf: ({ name }, stackId) => startsWithId(name, stackId),
  },
  {
    service: 'load-balancer',
    list: '/v2/lbaas/loadbalancers?fields=id&fields=name&fields=description&fields=vip_network_id&fields=provisioning_status',
    member: 'loadbalancers',
    delete: (id) => `/v2/lbaas/loadbalancers/${id}?cascade=true`,
    isOf: byDescription,
    mayBeOf: ({ name }, stackId) => startsWithId(name, stackId),
    hasOwnRole: true,
  },
  {
    service: 'volumev3',
    list: '/volumes/detail',
    member: 'volumes',
    delete: (id) => `/volumes/${id}`,
    isOf: (row, stackId) => byMetadata(row, stackId) && mayBeDeleted(row),
  },
  network('floatingips', ['description', 'port_id'], byDescription),
  network('ports', ['name'], byHeatName),
  network('routers', ['name'], byName('')),
  network('networks', ['name'], byName('', '-data')),
  network('security-groups', ['name'], byHeatName),
];
