import { hash } from 'node:crypto';
import type { Resource } from '../cloud.ts';
import type { ResourceType } from '../document.ts';

/** Ids and addresses of resources. They are derived from the resource, so planning is deterministic. */

const prefixes: Readonly<Record<ResourceType, string>> = {
  VirtualNetwork: 'vpc',
  InternetGateway: 'igw',
  GatewayAttachment: 'igw-attach',
  Subnet: 'subnet',
  RouteTable: 'rtb',
  NetworkAcl: 'acl',
  SecurityGroup: 'sg',
  KeyPair: 'key',
  FileSystem: 'fs',
  Volume: 'vol',
  LoadBalancer: 'elb',
  LaunchConfiguration: 'lc',
  AutoScalingGroup: 'asg',
  Instance: 'i',
  ContainerWait: 'wait',
  DatabaseInstance: 'db',
  CacheCluster: 'cache',
  CacheNode: 'cache-node',
};

export const physicalId = (type: ResourceType, seed: string): string =>
  `${prefixes[type]}-${hash('sha256', seed, 'hex').slice(0, 17)}`;

const domain = 'sandbox.invalid';

const dashed = (ip: string): string => ip.replaceAll('.', '-');
export const publicDnsOf = (ip: string, region: string): string =>
  `ec2-${dashed(ip)}.${region}.compute.${domain}`;
export const privateDnsOf = (ip: string, region: string): string =>
  `ip-${dashed(ip)}.${region}.compute.internal.${domain}`;

const services: Partial<Record<ResourceType, string>> = {
  LoadBalancer: 'elb',
  DatabaseInstance: 'rds',
  CacheCluster: 'cache',
  CacheNode: 'cache',
};

/** The DNS name of a load balancer, database or cache. */
export function addressOf({ name, type, id, properties }: Resource, region: string): string {
  const scope = properties['scheme'] === 'internal' ? 'internal-' : '';
  const serial = id.split('-').at(-1)?.slice(0, 8);
  return `${scope}${name.toLowerCase()}-${serial}.${region}.${services[type] ?? 'any'}.${domain}`;
}
