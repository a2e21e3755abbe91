import type { ResourceKind } from '../../model/status.ts';
import type { DeclaredResource } from '../resources.ts';
import { layerFinder } from '../shared/layer-of.ts';
import type { OpenStackDocument, TemplateResource } from './document.ts';
import { dependenciesOf } from './layout/references.ts';
import { cacheEngineKey, layerNames } from './names.ts';

const kinds: Readonly<Record<string, ResourceKind>> = {
  'OS::Neutron::Net': 'network',
  'OS::Neutron::Router': 'network',
  'OS::Neutron::RouterInterface': 'network',
  'OS::Neutron::Subnet': 'network',
  'OS::Neutron::Port': 'network',
  'OS::Neutron::SecurityGroup': 'network',
  'OS::Neutron::FloatingIP': 'network',
  'OS::Nova::Server': 'server',
  'OS::Heat::AutoScalingGroup': 'group',
  'FCX::AutoScaling::AutoScalingGroup': 'group',
  'OS::Octavia::LoadBalancer': 'balancer',
  'FCX::ExpandableLoadBalancer::LoadBalancer': 'balancer',
  'OS::Trove::Instance': 'database',
  'FCX::Database::DBInstance': 'database',
  'FCX::Database::DBSubnetGroup': 'network',
};

/** A server that runs a cache is a cache to its users. */
const kindOf = ({ type, properties = {} }: TemplateResource): ResourceKind => {
  const metadata = (properties['metadata'] as object | undefined) ?? {};
  if (type === 'OS::Nova::Server' && Object.hasOwn(metadata, cacheEngineKey)) return 'cache';
  return kinds[type] ?? 'other';
};

/** Not the servers of groups: they are resources of stacks that Heat makes for them. */
export function resourcesOf(
  { template, files }: OpenStackDocument,
  flags: readonly string[],
): DeclaredResource[] {
  const layerOf = layerFinder(flags, layerNames);
  return Object.entries(template.resources).map(([name, resource]) => ({
    name,
    type: resource.type,
    kind: kindOf(resource),
    layer: layerOf(name),
    dependsOn: dependenciesOf(template, resource),
    definition: { ...resource, member: files[memberTypeOf(resource)] },
  }));
}

const memberTypeOf = ({ properties = {} }: TemplateResource): string => {
  const member = properties['resource'] as { type?: string } | undefined;
  return member?.type ?? '';
};
