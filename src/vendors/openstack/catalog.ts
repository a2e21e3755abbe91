import type { Cache, Database } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

/** Defaults of a cloud. Its regions are in its own catalog of services. */
export const catalog: Catalog = {
  regions: 'asked',
  defaultInstanceType: 't2.micro',
  defaultVolumeType: '',
  defaultVolumeGib: 20,
  sshUser: 'debian',
};

interface DatabaseEngine {
  /** The name of the datastore in Trove. */
  datastore: string;
  port: number;
}

export const databaseEngines: Readonly<Record<Database['engine'], DatabaseEngine>> = {
  mysql: { datastore: 'mysql', port: 3306 },
  postgresql: { datastore: 'postgresql', port: 5432 },
};

export const defaultDatabaseType = 'db.t2.small';

interface CacheEngine {
  port: number;
  maxNodes: number;
}

export const cacheEngines: Readonly<Record<Cache['engine'], CacheEngine>> = {
  redis: { port: 6379, maxNodes: 6 },
  memcached: { port: 11211, maxNodes: 20 },
};

/** The limits of Heat, and of Nova for the script of a server. */
export const limits = { templateBytes: 524_288, resources: 1000, userDataBytes: 65_535 } as const;

/** Addresses of a subnet that servers cannot have: the network, the router, two DHCP servers, the broadcast address. */
export const reservedAddresses = 5;
