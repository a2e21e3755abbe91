import { resourceSuffix } from '../../model/names.ts';

/**
 * Logical ids: kind + flag, letters and digits only. A number comes before the flag: after it, the second server of
 * `web1` and the twelfth of `web` would have the same id.
 */
const named = (kind: string, flag: string): string => `${kind}${resourceSuffix(flag)}`;
const numbered = (kind: string, flag: string, index: number): string =>
  `${kind}${index}Of${resourceSuffix(flag)}`;

export const network = 'VPC';
export const gateway = 'InternetGateway';
export const gatewayAttachment = 'GatewayAttachment';
export const publicRouteTable = 'PublicRouteTable';
export const publicRoute = 'PublicRoute';

/** Subnets outside layers: a second zone for load balancers, two for databases and caches, one for the NAT gateway. */
export const balancerSubnet = 'BalancerSubnet';
export const dataSubnet = (index: number): string => `DataSubnet${index}`;
export const natSubnet = 'NatSubnet';
export const natGateway = 'NatGateway';
export const natAddress = 'NatAddress';
export const privateRouteTable = 'PrivateRouteTable';
export const privateRoute = 'PrivateRoute';

export const subnet = (flag: string): string => named('Subnet', flag);
/** A part of a layer's network in another zone. The first part is the layer's subnet. */
export const spreadSubnet = (flag: string, part: number): string => numbered('SpreadSubnet', flag, part);
export const routeTableAssociation = (subnetId: string): string => `Routes${subnetId}`;
export const networkAcl = (flag: string): string => named('NetworkAcl', flag);
/** Has the number of its subnet: AWS cannot move an association to another subnet. */
export const networkAclAssociation = (subnetId: string): string =>
  subnetId.replace(/^(Spread)?Subnet/, 'NetworkAclAssociation');
export const networkAclEntry = (flag: string, direction: 'In' | 'Out', number: number): string =>
  numbered(`NetworkAcl${direction}`, flag, number);
export const securityGroup = (flag: string): string => named('SecurityGroup', flag);
export const keyPair = (flag: string): string => named('KeyPair', flag);
export const role = (flag: string): string => named('Role', flag);
export const instanceProfile = (flag: string): string => named('InstanceProfile', flag);
export const instance = (flag: string, index: number): string => numbered('Instance', flag, index);
/**
 * The volume with the persistent files of a server. CloudFormation cannot move a volume to another zone, so that a server in
 * another zone has another volume.
 */
export const files = (flag: string, index: number, zone: string): string =>
  numbered(`Files${zone.replaceAll(/[^a-z0-9]/gi, '')}`, flag, index);
export const launchTemplate = (flag: string): string => named('LaunchTemplate', flag);
export const scalingGroup = (flag: string): string => named('AutoScalingGroup', flag);
export const scalingPolicy = (flag: string): string => named('ScalingPolicy', flag);
export const loadBalancer = (flag: string): string => named('LoadBalancer', flag);
export const balancerSecurityGroup = (flag: string): string => named('LoadBalancerSecurityGroup', flag);
export const targetGroup = (flag: string, port: number): string => numbered('TargetGroup', flag, port);
export const listener = (flag: string, port: number): string => numbered('Listener', flag, port);

export const databaseSubnets = 'DatabaseSubnets';
export const cacheSubnets = 'CacheSubnets';
export const databaseSecurityGroup = (name: string): string => named('DatabaseSecurityGroup', name);
export const databaseSecret = (name: string): string => named('DatabaseSecret', name);
export const databaseSecretAttachment = (name: string): string => named('DatabaseSecretAttachment', name);
export const database = (name: string): string => named('Database', name);
export const databaseReplica = (name: string, index: number): string =>
  numbered('DatabaseReplica', name, index);
export const cacheSecurityGroup = (name: string): string => named('CacheSecurityGroup', name);
export const cache = (name: string): string => named('Cache', name);
/** A cache whose engine was changed. */
export const cacheOf = (engine: string, name: string): string =>
  named(`${engine === 'redis' ? 'Redis' : 'Memcached'}Cache`, name);

const layerKinds = [
  'Subnet',
  'SpreadSubnet',
  'NetworkAcl',
  'NetworkAclAssociation',
  'NetworkAclIn',
  'NetworkAclOut',
  'SecurityGroup',
  'KeyPair',
  'Role',
  'InstanceProfile',
  'Instance',
  'Files[a-z0-9]*[a-z]',
  'LaunchTemplate',
  'AutoScalingGroup',
  'ScalingPolicy',
  'LoadBalancer',
  'LoadBalancerSecurityGroup',
  'TargetGroup',
  'Listener',
].join('|');
/** All logical ids of a layer's resources. */
export const layerNames = (suffix: string): RegExp =>
  new RegExp(`^(?:Routes)?(?:${layerKinds})(?:\\d+Of)?${suffix}$`);

/** Internal outputs: physical names, so that observing many stacks needs no call for each. They are hidden from users. */
export const ownOutputs = 'Almanac';
export const keyPairOutput = (flag: string): string => named('AlmanacKeyPair', flag);
export const groupOutput = (flag: string): string => named('AlmanacGroup', flag);
export const replicaOutput = (name: string, index: number): string => numbered('AlmanacReplica', name, index);
export const databaseSecretOutput = (name: string): string => named('AlmanacSecret', name);
/** The physical id of a store. */
export const storeOutput = (resource: string): string => `${ownOutputs}${resource}`;
/** The size in GiB that the disks of a server are grown to. */
export const diskSizeOutput = (server: string): string => `${ownOutputs}Gib${server}`;

/** Tags on every resource that supports them. Instances are found by these tags. */
export const stackTag = 'almanac:stack';
export const flagTag = 'almanac:flag';
/** AWS sets this tag on every server a group launches. */
export const groupTag = 'aws:autoscaling:groupName';

/** The name of the CloudFormation stack. */
export const cloudStackName = (stackId: string): string => `alm-${stackId}`;

/** How the names of final snapshots start. CloudFormation appends a random part. */
export const snapshotPrefix = (stackId: string, resource: string): string =>
  `${cloudStackName(stackId)}-snapshot-${resource}-`.toLowerCase().replaceAll(/-+/g, '-');

/** How the request tokens of deletions start. */
export const deletionToken = 'almanac-delete-';

/** The SSM parameter from which the agents of a stack read their token. */
export const agentTokenParameter = (stackId: string): string => `/almanac/${stackId}/agent-token`;
