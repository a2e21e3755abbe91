import type { Cache, Database } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

/** Regions and defaults of the AWS vendor. */
export const catalog = {
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
    'us-gov-east-1',
    'us-gov-west-1',
  ],
  defaultInstanceType: 't3.micro',
  defaultVolumeType: 'gp3',
  defaultVolumeGib: 30,
  sshUser: 'ec2-user',
} satisfies Catalog;

/** Defaults for images whose root device is unknown. The image Almanac chooses needs 8 GiB. */
export const rootDevice = '/dev/xvda';
export const minVolumeGib = 8;

interface DatabaseEngine {
  /** The engine name in RDS. */
  name: string;
  port: number;
  /** The major version of new databases. AWS says which minor versions it has, and applies later ones automatically. */
  defaultVersion: string;
  /** The major version at the start of a version. */
  major: RegExp;
}

export const databaseEngines: Readonly<Record<Database['engine'], DatabaseEngine>> = {
  mysql: {
    name: 'mysql',
    port: 3306,
    defaultVersion: '8.4',
    major: /^\d+\.\d+(?=\.|$)/,
  },
  postgresql: {
    name: 'postgres',
    port: 5432,
    defaultVersion: '17',
    major: /^\d+(?=\.|$)/,
  },
};

/** Versions that do not support the ARM instance class. */
const oldVersions = /^(5\.7|11)\b/;
export const defaultDatabaseType = (version: string): string =>
  oldVersions.test(version) ? 'db.t3.micro' : 'db.t4g.micro';
/** Classes of databases without one, best first. Not every region and version has the first. */
export const defaultDatabaseTypes = ['db.t4g.micro', 'db.t3.micro', 'db.t4g.small', 'db.t3.small'];

/** Size limits of database volumes. Templates allow 5 GiB, which is raised to the minimum. */
export const databaseStorage = { minGib: 20, maxGib: 65536 } as const;

interface CacheEngine {
  /** The major version of new caches. */
  major: string;
  port: number;
  maxNodes: number;
}

export const cacheEngines: Readonly<Record<Cache['engine'], CacheEngine>> = {
  redis: { major: '7', port: 6379, maxNodes: 6 },
  memcached: { major: '1.6', port: 11211, maxNodes: 40 },
};

interface VolumeType {
  minGib: number;
  maxGib: number;
  /** Provisioned IOPS, where they are billed separately: for each GiB, and the limits of AWS for one volume. */
  iops?: { perGib: number; min: number; max: number };
}

/** Volume types that can be a boot volume. */
export const volumeTypes: Readonly<Record<string, VolumeType>> = {
  gp2: { minGib: 1, maxGib: 16384 },
  gp3: { minGib: 1, maxGib: 16384 },
  io1: { minGib: 4, maxGib: 16384, iops: { perGib: 10, min: 100, max: 64_000 } },
  io2: { minGib: 4, maxGib: 16384, iops: { perGib: 10, min: 100, max: 256_000 } },
  standard: { minGib: 1, maxGib: 1024 },
};
