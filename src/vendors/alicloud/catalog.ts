import type { Cache, Database } from '../../model/stack-model.ts';
import type { Catalog } from '../vendor.ts';

/** The vendors of this folder: Alibaba Cloud, and SBCloud, which sells it in Japan. */
export type CloudName = 'alicloud' | 'sbcloud';

/** Regions in which every service that stacks use has an endpoint. */
const regions = [
  'ap-northeast-1',
  'ap-southeast-1',
  'ap-southeast-3',
  'ap-southeast-5',
  'cn-beijing',
  'cn-chengdu',
  'cn-guangzhou',
  'cn-hangzhou',
  'cn-heyuan',
  'cn-hongkong',
  'cn-huhehaote',
  'cn-qingdao',
  'cn-shanghai',
  'cn-shenzhen',
  'cn-wulanchabu',
  'cn-zhangjiakou',
  'eu-central-1',
  'eu-west-1',
  'me-east-1',
  'na-south-1',
  'us-east-1',
  'us-west-1',
];

/** Types of layers without one, best first. Not every zone sells the first. */
export const defaultTypes = [
  'ecs.e-c1m2.large',
  'ecs.u1-c1m2.large',
  'ecs.g7.large',
  'ecs.g6.large',
] as const;

export const catalog: Catalog = {
  regions,
  defaultInstanceType: defaultTypes[0],
  defaultVolumeType: 'cloud_essd',
  defaultVolumeGib: 40,
  sshUser: 'root',
};

/** The first one is the default. SBCloud publishes no list; its data centers are in Japan. */
export const regionsOf: Readonly<Record<CloudName, readonly string[]>> = {
  alicloud: regions,
  sbcloud: ['ap-northeast-1'],
};

/** Categories of boot disks. */
export const volumeTypes = ['cloud_essd', 'cloud_auto', 'cloud_ssd', 'cloud_efficiency'] as const;
/** Sizes of boot disks. Templates allow smaller ones, which are raised to the minimum. */
export const volumeGib = { min: 20, max: 500 } as const;

interface DatabaseEngine {
  /** The name in RDS. */
  name: string;
  port: number;
  /** Major versions as RDS writes them, the default first. */
  versions: readonly string[];
  defaultType: string;
  type: RegExp;
  characterSet: string;
}

export const databaseEngines: Readonly<Record<Database['engine'], DatabaseEngine>> = {
  mysql: {
    name: 'MySQL',
    port: 3306,
    versions: ['8.0', '5.7'],
    defaultType: 'mysql.n2.medium.2c',
    type: /^(mysql|rds\.mysql)\.[a-z0-9.]+$/,
    characterSet: 'utf8mb4',
  },
  postgresql: {
    name: 'PostgreSQL',
    port: 5432,
    versions: ['17.0', '16.0', '15.0', '14.0', '13.0', '12.0', '11.0', '10.0'],
    defaultType: 'pg.n2.2c.2m',
    type: /^(pg|rds\.pg)\.[a-z0-9.]+$/,
    characterSet: 'UTF8',
  },
};

/** Sizes of databases. Templates allow 5 GiB, which is raised to the minimum. */
export const databaseGib = { min: 20, step: 5, maxWithReplicas: 3000 } as const;

interface CacheEngine {
  port: number;
  maxNodes: number;
  type: RegExp;
}

export const cacheEngines: Readonly<Record<Cache['engine'], CacheEngine>> = {
  redis: { port: 6379, maxNodes: 10, type: /^redis\.[a-z0-9.]+$/ },
  memcached: { port: 11211, maxNodes: 20, type: /^memcache\.[a-z0-9.]+$/ },
};

/** Of ROS for a template, of ECS for the script of a server, of ESS for a group, of VPC for a network ACL. */
export const limits = {
  templateBytes: 524_288,
  resources: 200,
  userDataBytes: 16_384,
  groupSubnets: 8,
  groupTypes: 10,
  aclRules: 20,
  tags: 15,
} as const;

/** Addresses of a VSwitch that servers cannot have: the first, and the last three. */
export const reservedAddresses = 4;

/** From which load balancers reach their servers. */
export const balancerAddresses = '100.64.0.0/10';

/** How long a load balancer lets a server finish its requests. */
export const drainSeconds = 60;
