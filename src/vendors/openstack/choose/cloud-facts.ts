/**
 * What a cloud has in one region, as plain reads: the choices are made from it. Reads may be cached for some minutes, except
 * `quotas`. A cloud that does not answer throws `Unreachable`.
 */
export interface CloudFacts {
  /** The regions in the catalog of the project. May be asked for a region that does not exist. */
  regions(): Promise<readonly string[]>;
  /** The types of the services in the catalog of the region. */
  services(): Promise<ReadonlySet<ServiceType>>;
  /** Flavors that the project may use. Without those that are disabled. */
  flavors(): Promise<readonly Flavor[]>;
  /** Images in state `active` that the project may use. */
  images(): Promise<readonly Image[]>;
  /** An image by its id, also one that lists leave out; undefined: it is gone. */
  image(id: string): Promise<Image | undefined>;
  /** Networks with `router:external`. */
  externalNetworks(): Promise<readonly ExternalNetwork[]>;
  /** Zones in state `available`, of servers and of volumes. */
  zones(): Promise<Readonly<Record<'servers' | 'volumes', readonly string[]>>>;
  /** Names of volume types, the default first if the cloud says which it is. */
  volumeTypes(): Promise<readonly string[]>;
  /** Called only if the catalog has `database`. */
  datastores(): Promise<readonly Datastore[]>;
  /** Certificates in the key manager. Called only if the catalog has `key-manager`. */
  certificates(): Promise<readonly Certificate[]>;
  /** Limits of the project that the cloud tells. Those without a limit, and those it does not tell, are absent. */
  quotas(): Promise<Quotas>;
}

export type ServiceType =
  | 'orchestration'
  | 'compute'
  | 'image'
  | 'network'
  | 'volumev3'
  | 'load-balancer'
  | 'database'
  | 'key-manager'
  | 'object-store';

export interface Flavor {
  id: string;
  name: string;
  cpus: number;
  memoryMib: number;
  /** 0: a server needs a volume to boot from. */
  diskGib: number;
  isPublic: boolean;
  /** Keys of its `extra_specs`. */
  extraSpecs: readonly string[];
}

export interface Image {
  id: string;
  name: string;
  isPublic: boolean;
  /** The properties `os_distro`, `os_version` and `os_admin_user`; empty: the image has none. */
  distribution: string;
  release: string;
  adminUser: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  minDiskGib: number;
  minMemoryMib: number;
}

export interface ExternalNetwork {
  id: string;
  name: string;
}

export interface Datastore {
  /** `mysql`, `postgresql`, … */
  name: string;
  /** Names of the active versions, the default first if the cloud says which it is. */
  versions: readonly string[];
}

export interface Certificate {
  name: string;
  /** The address of the container or secret, as a listener wants it. */
  reference: string;
}

export const quotaNames = [
  'networks',
  'subnets',
  'routers',
  'ports',
  'floatingIps',
  'securityGroups',
  'servers',
  'cpus',
  'memoryMib',
  'keyPairs',
  'volumes',
  'volumeGib',
  'loadBalancers',
  'stacks',
] as const;
export type QuotaName = (typeof quotaNames)[number];

export interface Quota {
  limit: number;
  /** In use and reserved. */
  used: number;
}
export type Quotas = Readonly<Partial<Record<QuotaName, Quota>>>;
