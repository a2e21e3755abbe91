import type { ResourceKind } from '../../model/status.ts';
import type { DeclaredResource } from '../resources.ts';
import { layerFinder } from '../shared/layer-of.ts';
import type { ResourceType, SandboxDocument } from './document.ts';
import { layerNames } from './names.ts';

const kinds: Readonly<Record<ResourceType, ResourceKind>> = {
  VirtualNetwork: 'network',
  InternetGateway: 'network',
  GatewayAttachment: 'network',
  Subnet: 'network',
  RouteTable: 'network',
  NetworkAcl: 'network',
  SecurityGroup: 'network',
  KeyPair: 'other',
  FileSystem: 'other',
  Volume: 'other',
  LoadBalancer: 'balancer',
  LaunchConfiguration: 'other',
  AutoScalingGroup: 'group',
  Instance: 'server',
  ContainerWait: 'container',
  DatabaseInstance: 'database',
  CacheCluster: 'cache',
  CacheNode: 'cache',
};

export function resourcesOf(document: SandboxDocument, flags: readonly string[]): DeclaredResource[] {
  const layerOf = layerFinder(flags, layerNames);
  return document.resources.map(({ name, type, dependsOn, properties }) => ({
    name,
    type,
    kind: kinds[type],
    layer: layerOf(name),
    dependsOn: [...new Set(dependsOn)].toSorted(),
    definition: { properties, dependsOn },
  }));
}
