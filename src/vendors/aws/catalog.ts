import type { Cache, Database } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

/** What AWS offers, and what is decided where a document leaves the choice to it. */
export const catalog: Catalog = {
  regions: [
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-northeast-3',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'ca-central-1',
    'eu-central-1',
    'eu-north-1',
    'eu-west-1',
    'eu-west-2',
    'eu-west-3',
    'sa-east-1',
    'us-east-1',
    'us-east-2',
    'us-west-1',
    'us-west-2',
    'cn-north-1',
    'cn-northwest-1',
  ],
  defaultInstanceType: 't3.micro',
  defaultVolumeType: 'gp3',
  defaultVolumeGib: 30,
  sshUser: 'ec2-user',
};

/** What servers boot from where nothing else is known of their image; the one Almanac chooses needs 8 GiB. */
export const rootDevice = '/dev/xvda';
export const smallestVolumeGib = 8;

interface DatabaseEngine {
  /** RDS's own word for it. */
  name: string;
  port: number;
  defaultVersion: string;
  /**
   * The full version a short one stands for: AWS upgrades it by itself from there. Raise these with care: a template
   * that names an older version than the one AWS has gone on to is refused.
   */
  versions: Readonly<Record<string, string>>;
}

export const databaseEngines: Readonly<Record<Database['engine'], DatabaseEngine>> = {
  mysql: {
    name: 'mysql',
    port: 3306,
    defaultVersion: '8.4',
    versions: { '5.7': '5.7.44-rds.20260521', '8.0': '8.0.46', '8.4': '8.4.9' },
  },
  postgresql: {
    name: 'postgres',
    port: 5432,
    defaultVersion: '17',
    versions: {
      '11': '11.22-rds.20260224',
      '12': '12.22-rds.20260224',
      '13': '13.23-rds.20260224',
      '14': '14.23',
      '15': '15.18',
      '16': '16.14',
      '17': '17.10',
      '18': '18.4',
    },
  },
};

/** Versions from before the arm processors of the newer class. */
const oldVersions = /^(5\.7|11)\b/;
export const defaultDatabaseType = (version: string): string =>
  oldVersions.test(version) ? 'db.t3.micro' : 'db.t4g.micro';

/** The volumes databases get hold no less and no more. Templates allow 5 GiB: it is raised to the least there is. */
export const databaseStorage = { least: 20, most: 65536 } as const;

interface CacheEngine {
  version: string;
  port: number;
  maxNodes: number;
}

export const cacheEngines: Readonly<Record<Cache['engine'], CacheEngine>> = {
  redis: { version: '7.1', port: 6379, maxNodes: 6 },
  memcached: { version: '1.6.22', port: 11211, maxNodes: 40 },
};

/** Kinds of disk a server can boot from, how small and how large, and how many operations a second are paid for by GiB. */
export const volumeTypes: Readonly<Record<string, { least: number; most: number; iopsPerGib?: number }>> = {
  gp2: { least: 1, most: 16384 },
  gp3: { least: 1, most: 16384 },
  io1: { least: 4, most: 16384, iopsPerGib: 10 },
  io2: { least: 4, most: 16384, iopsPerGib: 10 },
  standard: { least: 1, most: 1024 },
};

/** AWS sells at least this many. */
export const minIops = 100;
