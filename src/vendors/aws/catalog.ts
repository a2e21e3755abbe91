import type { Cache, Database } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

/** Regions and defaults of the AWS vendor. */
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

/** Defaults for images whose root device is unknown. The image Almanac chooses needs 8 GiB. */
export const rootDevice = '/dev/xvda';
export const minVolumeGib = 8;

interface DatabaseEngine {
  /** The engine name in RDS. */
  name: string;
  port: number;
  defaultVersion: string;
  /**
   * Full versions by major version. AWS applies minor upgrades automatically. Change these with care: AWS rejects a
   * template with an older version than the one the database was upgraded to.
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

/** Versions that do not support the ARM instance class. */
const oldVersions = /^(5\.7|11)\b/;
export const defaultDatabaseType = (version: string): string =>
  oldVersions.test(version) ? 'db.t3.micro' : 'db.t4g.micro';

/** Size limits of database volumes. Templates allow 5 GiB, which is raised to the minimum. */
export const databaseStorage = { minGib: 20, maxGib: 65536 } as const;

interface CacheEngine {
  version: string;
  port: number;
  maxNodes: number;
}

export const cacheEngines: Readonly<Record<Cache['engine'], CacheEngine>> = {
  redis: { version: '7.1', port: 6379, maxNodes: 6 },
  memcached: { version: '1.6.22', port: 11211, maxNodes: 40 },
};

interface VolumeType {
  minGib: number;
  maxGib: number;
  /** Provisioned IOPS for each GiB, where they are billed separately. */
  iopsPerGib?: number;
}

/** Volume types that can be a boot volume. */
export const volumeTypes: Readonly<Record<string, VolumeType>> = {
  gp2: { minGib: 1, maxGib: 16384 },
  gp3: { minGib: 1, maxGib: 16384 },
  io1: { minGib: 4, maxGib: 16384, iopsPerGib: 10 },
  io2: { minGib: 4, maxGib: 16384, iopsPerGib: 10 },
  standard: { minGib: 1, maxGib: 1024 },
};

/** Minimum of provisioned IOPS. */
export const minIops = 100;
