import { keyPairName, resourceSuffix } from '../../model/names.ts';

/**
 * Logical ids: kind + flag, letters and digits only. A number comes before the flag: after it, the second listener of
 * `web1` and the twelfth of `web` would have the same id.
 */
const named = (kind: string, flag: string): string => `${kind}${resourceSuffix(flag)}`;
const numbered = (kind: string, flag: string, index: number): string =>
  `${kind}${index}Of${resourceSuffix(flag)}`;

export const network = 'VPC';
/** VSwitches outside layers: for databases and caches, and for the NAT gateway. The second is for standbys. */
export const dataSubnet = (index: 1 | 2): string => `DataSubnet${index}`;
export const natSubnet = 'NatSubnet';
export const natGateway = 'NatGateway';
export const natAddress = 'NatAddress';
export const natAddressAssociation = 'NatAddressAssociation';
export const role = 'Role';

export const subnet = (flag: string): string => named('Subnet', flag);
export const snatEntry = (flag: string): string => named('SnatEntry', flag);
export const networkAcl = (flag: string): string => named('NetworkAcl', flag);
export const networkAclAssociation = (flag: string): string => named('NetworkAclAssociation', flag);
export const securityGroup = (flag: string): string => named('SecurityGroup', flag);
export const keyPair = (flag: string): string => named('KeyPair', flag);
export const instances = (flag: string): string => named('Instances', flag);
export const scalingGroup = (flag: string): string => named('AutoScalingGroup', flag);
export const scalingConfiguration = (flag: string): string => named('ScalingConfiguration', flag);
export const scalingEnable = (flag: string): string => named('ScalingEnable', flag);
export const scalingRule = (flag: string): string => named('ScalingRule', flag);
export const loadBalancer = (flag: string): string => named('LoadBalancer', flag);
export const listener = (flag: string, port: number): string => numbered('Listener', flag, port);
export const backendServers = (flag: string): string => named('BackendServers', flag);

export const database = (name: string): string => named('Database', name);
export const databaseReplica = (name: string, index: number): string =>
  numbered('DatabaseReplica', name, index);
/** The engine is in the names of caches: a cache of another engine is another resource. */
export const redis = (name: string): string => named('Redis', name);
export const redisWhitelist = (name: string): string => named('RedisWhitelist', name);
export const memcached = (name: string, index: number): string => numbered('Memcached', name, index);
export const memcachedWhitelist = (name: string, index: number): string =>
  numbered('MemcachedWhitelist', name, index);

const layerKinds = [
  'Subnet',
  'SnatEntry',
  'NetworkAcl',
  'NetworkAclAssociation',
  'SecurityGroup',
  'KeyPair',
  'Instances',
  'AutoScalingGroup',
  'ScalingConfiguration',
  'ScalingEnable',
  'ScalingRule',
  'LoadBalancer',
  'Listener',
  'BackendServers',
].join('|');
/** All logical ids of a layer's resources. */
export const layerNames = (suffix: string): RegExp => new RegExp(`^(?:${layerKinds})(?:\\d+Of)?${suffix}$`);

/** Internal outputs, hidden from users: physical ids, and what servers are made from. */
export const groupOutput = (flag: string): string => named('AlmanacGroup', flag);
export const launchOutput = (flag: string): string => named('AlmanacLaunch', flag);
/** Of layers whose containers keep files on the disks of their servers. */
export const filesOutput = (flag: string): string => named('AlmanacFiles', flag);
export const databaseOutput = (name: string): string => named('AlmanacDatabase', name);
export const replicaOutput = (name: string, index: number): string => numbered('AlmanacReplica', name, index);
export const redisOutput = (name: string): string => named('AlmanacRedis', name);
export const memcachedOutput = (name: string, index: number): string =>
  numbered('AlmanacMemcached', name, index);

/** Tags of servers, by which they are found. */
export const stackTag = 'almanac:stack';
export const flagTag = 'almanac:flag';
/** A hash of what a server was made from. */
export const launchTag = 'almanac:launch';
export const ownTags = /^almanac:/;
/** Tags of snapshots that outlive their server: the store they are made of, and the request they are made for. */
export const storeTag = 'almanac:store';
export const requestTag = 'almanac:request';

/** Key pairs and roles have names that are unique in the region or the account. */
export const keyName = (stackId: string, flag: string): string =>
  keyPairName(stackId, flag.replaceAll(/[^\w-]/g, '-'));
export const roleName = (stackId: string): string => `alm-${stackId}`;

/** Secrets in OOS. */
export const agentTokenSecret = (stackId: string): string => `almanac/${stackId}/agent-token`;
export const databasePasswordSecret = (stackId: string): string => `almanac/${stackId}/database-password`;

/** Own outputs start with this. */
export const ownOutputs = 'Almanac';

/** The name of the ROS stack. */
export const stackName = (stackId: string): string => `alm-${stackId}`;
/** On the ROS stack: the version of the last update. */
export const triedTag = 'almanac:tried';
