import { createHash } from 'node:crypto';
import type { cacheEngines, databaseEngines } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

export const catalog: Catalog = {
  regions: [
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-southeast-1',
    'ap-southeast-2',
    'eu-central-1',
    'eu-west-1',
    'us-east-1',
    'us-west-1',
    'us-west-2',
    'cn-north-1',
  ],
  defaultInstanceType: 't2.micro',
  defaultVolumeType: 'gp2',
  defaultVolumeGib: 30,
  sshUser: 'ec2-user',
};

export const networksPerRegion = 20;
export const containerWaitSeconds = 3600;
export const defaultDatabaseType = 'db.t2.micro';

export const databaseDefaults: Readonly<
  Record<(typeof databaseEngines)[number], { version: string; port: number }>
> = {
  mysql: { version: '8.0', port: 3306 },
  postgresql: { version: '16', port: 5432 },
};

export const cacheDefaults: Readonly<
  Record<(typeof cacheEngines)[number], { port: number; maxNodes: number }>
> = {
  redis: { port: 6379, maxNodes: 6 },
  memcached: { port: 11211, maxNodes: 20 },
};

/** The sandbox accepts every name that has the form of a region name. */
export const looksLikeRegion = (region: string): boolean => /^[A-Za-z][A-Za-z0-9-]{1,62}$/.test(region);

export const defaultZone = (region: string): string => `${region}a`;

/** One fixed image per region. */
export const defaultImage = (region: string): string =>
  `ami-${createHash('sha256').update(`image of ${region}`).digest('hex').slice(0, 17)}`;
