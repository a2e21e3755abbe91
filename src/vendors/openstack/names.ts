import { keyPairName, resourceSuffix } from '../../model/names.ts';
import type { Cache } from '../../model/stack-model.ts';

/**
 * Names of resources in the template: kind + flag, letters and digits only. A number comes before the flag: after it, the
 * second server of `web1` and the twelfth of `web` would have the same name.
 */
const named = (kind: string, flag: string): string => `${kind}${resourceSuffix(flag)}`;
const numbered = (kind: string, flag: string, index: number): string =>
  `${kind}${index}Of${resourceSuffix(flag)}`;

export const network = 'Network';
export const router = 'Router';
export const dataNetwork = 'DataNetwork';
export const dataSubnet = 'DataSubnet';
export const dataRouterInterface = 'DataRouterInterface';
export const databaseSubnets = 'DatabaseSubnets';

export const subnet = (flag: string): string => named('Subnet', flag);
export const routerInterface = (flag: string): string => named('RouterInterface', flag);
export const securityGroup = (flag: string): string => named('SecurityGroup', flag);
export const keyPair = (flag: string): string => named('KeyPair', flag);
export const port = (flag: string, index: number): string => numbered('Port', flag, index);
export const server = (flag: string, index: number): string => numbered('Instance', flag, index);
/**
 * The volume that a server boots from. The mark is another one for every launch that replaces the server: Heat creates the new
 * server before it deletes the old one, and both cannot use the same volume.
 */
export const volume = (flag: string, index: number, mark: string): string =>
  numbered(`Volume_${mark}_`, flag, index);
/** The volume of a server's persistent files, which outlives the server. */
export const files = (flag: string, index: number): string => numbered('Files', flag, index);
export const filesAttachment = (flag: string, index: number): string =>
  numbered('FilesAttachment', flag, index);
export const floatingIp = (flag: string, index: number): string => numbered('FloatingIp', flag, index);
export const scalingGroup = (flag: string): string => named('AutoScalingGroup', flag);
export const launchConfiguration = (flag: string): string => named('LaunchConfiguration', flag);
export const scaleOut = (flag: string): string => named('ScaleOut', flag);
export const scaleIn = (flag: string): string => named('ScaleIn', flag);
export const loadBalancer = (flag: string): string => named('LoadBalancer', flag);
export const balancerAddress = (flag: string): string => named('LoadBalancerAddress', flag);
export const listener = (flag: string, onPort: number): string => numbered('Listener', flag, onPort);
export const pool = (flag: string, onPort: number): string => numbered('Pool', flag, onPort);
export const healthMonitor = (flag: string, onPort: number): string =>
  numbered('HealthMonitor', flag, onPort);
/** A server's place in a pool. `index`: of the server. */
export const poolMember = (poolName: string, index: number): string => `Member${index}In${poolName}`;

/**
 * The handle that waits for the first report of an agent. The mark is another one for every launch that replaces the server:
 * then there is a new handle, and the update waits again.
 */
export const waitHandle = (flag: string, index: number, mark: string): string =>
  numbered(`WaitHandle_${mark}_`, flag, index);
export const waitCondition = (flag: string, index: number, mark: string): string =>
  numbered(`WaitCondition_${mark}_`, flag, index);

export const database = (name: string): string => named('Database', name);
export const databaseSecurityGroup = (name: string): string => named('DatabaseSecurityGroup', name);
export const cacheSecurityGroup = (name: string): string => named('CacheSecurityGroup', name);
const engineKinds: Readonly<Record<Cache['engine'], string>> = { redis: 'Redis', memcached: 'Memcached' };
/** Contains the engine: a server of another engine is another server. */
export const cacheNode = ({ name, engine }: Cache, index: number): string =>
  numbered(engineKinds[engine], name, index);
/** The first node of a Redis cache: the others have copies. */
export const redisPrimary = (name: string): string => numbered(engineKinds.redis, name, 0);
export const cachePort = ({ name, engine }: Cache, index: number): string =>
  numbered(`${engineKinds[engine]}Port`, name, index);
export const cacheVolume = ({ name, engine }: Cache, index: number): string =>
  numbered(`${engineKinds[engine]}Volume`, name, index);

/** The volume with the data of a Redis cache. */
export const redisData = (name: string): string => numbered('RedisData', name, 0);
export const redisDataAttachment = (name: string): string => numbered('RedisDataAttachment', name, 0);

const layerKinds = [
  'Subnet',
  'RouterInterface',
  'SecurityGroup',
  'KeyPair',
  'Port',
  'Instance',
  'Volume_[0-9a-f]+_',
  'Files',
  'FilesAttachment',
  'FloatingIp',
  'AutoScalingGroup',
  'LaunchConfiguration',
  'ScaleOut',
  'ScaleIn',
  'LoadBalancer',
  'LoadBalancerAddress',
  'Listener',
  'Pool',
  'HealthMonitor',
  String.raw`Member\d+InPool`,
  'WaitHandle_[0-9a-f]+_',
  'WaitCondition_[0-9a-f]+_',
].join('|');
/** All names of a layer's resources. */
export const layerNames = (suffix: string): RegExp => new RegExp(`^(?:${layerKinds})(?:\\d+Of)?${suffix}$`);

/** The template of a group's member: its file, and the names of resources in it. */
export const memberFile = (flag: string): string => `member-${resourceSuffix(flag)}.yaml`;
export const member = {
  port: 'Port',
  server: 'Instance',
  volume: (mark: string): string => `Volume_${mark}`,
  floatingIp: 'FloatingIp',
  waitHandle: (mark: string): string => `WaitHandle_${mark}`,
  waitCondition: (mark: string): string => `WaitCondition_${mark}`,
} as const;

/** Parameters. No resource has such a name: Heat rejects equal ones. */
export const agentTokenParameter = 'agent_token';
export const databasePasswordParameter = 'database_password';
export const publicKeyParameter = (flag: string): string => `public_key_${resourceSuffix(flag)}`;

/** Metadata of servers and volumes, by which they are found. */
export const stackKey = 'almanac_stack';
export const flagKey = 'almanac_flag';
export const cacheKey = 'almanac_cache';
export const cacheEngineKey = 'almanac_cache_engine';
export const cacheIndexKey = 'almanac_cache_node';
/** Of a volume with data: the name of its resource, and what its release asked for. */
export const storeKey = 'almanac_store';
export const releaseKey = 'almanac_release';
/** Of a server: the id of the volume with its data. */
export const volumeKey = 'almanac_volume';
export const ownKeys = /^almanac_/;

export const keyName = (stackId: string, flag: string): string =>
  keyPairName(stackId, flag.replaceAll(/[^\w -]/g, '-'));
export const serverName = (stackId: string, flag: string): string => `${stackId}-${resourceSuffix(flag)}`;
export const databaseName = (stackId: string, name: string): string => `${stackId}-${resourceSuffix(name)}`;
