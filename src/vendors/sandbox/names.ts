import { resourceSuffix } from '../../model/names.ts';

/**
 * Logical ids are kind + flag, and a dash before an index. Without the dash, the second server of `web1` and the
 * twelfth of `web` would have the same name.
 */
const named = (kind: string, flag: string): string => `${kind}${resourceSuffix(flag)}`;
const numbered = (kind: string, flag: string, index: number): string => `${named(kind, flag)}-${index}`;

export const network = 'VPC';
export const gateway = 'InternetGateway';
export const gatewayAttachment = 'GatewayAttachment';

export const subnet = (flag: string): string => named('Subnet', flag);
export const routeTable = (flag: string): string => named('RouteTable', flag);
export const networkAcl = (flag: string): string => named('NetworkAcl', flag);
export const securityGroup = (flag: string): string => named('SecurityGroup', flag);
export const keyPair = (flag: string): string => named('KeyPair', flag);
export const fileSystem = (flag: string): string => named('FileSystem', flag);
/** The persistent files of one server. */
export const volume = (flag: string, index: number): string => numbered('Volume', flag, index);
export const loadBalancer = (flag: string): string => named('LoadBalancer', flag);
export const launchConfiguration = (flag: string): string => named('LaunchConfiguration', flag);
export const scalingGroup = (flag: string): string => named('AutoScalingGroup', flag);
export const instance = (flag: string, index: number): string => numbered('Instance', flag, index);
export const spotInstance = (flag: string, index: number): string => numbered('SpotInstance', flag, index);
export const containerWait = (flag: string): string => named('ContainerWait', flag);

export const databaseSecurityGroup = (name: string): string => named('DatabaseSecurityGroup', name);
export const database = (name: string): string => named('DatabaseInstance', name);
export const databaseReplica = (name: string, index: number): string =>
  numbered('DatabaseInstance', name, index);
export const cacheSecurityGroup = (name: string): string => named('CacheSecurityGroup', name);
export const cacheCluster = (name: string): string => named('CacheCluster', name);
export const cacheNode = (name: string, index: number): string => numbered('CacheNode', name, index);

const layerKinds = [
  'Subnet',
  'RouteTable',
  'NetworkAcl',
  'SecurityGroup',
  'KeyPair',
  'FileSystem',
  'Volume',
  'LoadBalancer',
  'LaunchConfiguration',
  'AutoScalingGroup',
  'Instance',
  'SpotInstance',
  'ContainerWait',
].join('|');
/** All names of a layer's resources. */
export const layerNames = (suffix: string): RegExp => new RegExp(`^(?:${layerKinds})${suffix}(?:-\\d+)?$`);
