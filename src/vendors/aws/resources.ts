import { isObject } from '../../basics/is-object.ts';
import type { ResourceKind } from '../../model/status.ts';
import type { DeclaredResource } from '../resources.ts';
import { layerFinder } from '../shared/layer-of.ts';
import type { AwsDocument, TemplateResource } from './document.ts';
import { layerNames } from './names.ts';
import type { ResourceType } from './permissions/resource-types.ts';

const kinds: Readonly<Record<ResourceType, ResourceKind>> = {
  'AWS::AutoScaling::AutoScalingGroup': 'group',
  'AWS::AutoScaling::ScalingPolicy': 'other',
  'AWS::EC2::EIP': 'network',
  'AWS::EC2::Instance': 'server',
  'AWS::EC2::InternetGateway': 'network',
  'AWS::EC2::KeyPair': 'other',
  'AWS::EC2::LaunchTemplate': 'other',
  'AWS::EC2::NatGateway': 'network',
  'AWS::EC2::NetworkAcl': 'network',
  'AWS::EC2::NetworkAclEntry': 'network',
  'AWS::EC2::Route': 'network',
  'AWS::EC2::RouteTable': 'network',
  'AWS::EC2::SecurityGroup': 'network',
  'AWS::EC2::Subnet': 'network',
  'AWS::EC2::SubnetNetworkAclAssociation': 'network',
  'AWS::EC2::SubnetRouteTableAssociation': 'network',
  'AWS::EC2::VPC': 'network',
  'AWS::EC2::VPCGatewayAttachment': 'network',
  'AWS::EC2::Volume': 'other',
  'AWS::ElastiCache::CacheCluster': 'cache',
  'AWS::ElastiCache::ReplicationGroup': 'cache',
  'AWS::ElastiCache::SubnetGroup': 'network',
  'AWS::ElasticLoadBalancingV2::Listener': 'other',
  'AWS::ElasticLoadBalancingV2::LoadBalancer': 'balancer',
  'AWS::ElasticLoadBalancingV2::TargetGroup': 'other',
  'AWS::IAM::InstanceProfile': 'other',
  'AWS::IAM::Role': 'other',
  'AWS::RDS::DBInstance': 'database',
  'AWS::RDS::DBSubnetGroup': 'network',
  'AWS::SecretsManager::Secret': 'other',
  'AWS::SecretsManager::SecretTargetAttachment': 'other',
};

const kindsByType: ReadonlyMap<string, ResourceKind> = new Map(Object.entries(kinds));

/** `${Name}` and `${Name.Attribute}` in the text of a Fn::Sub; `${!Name}` is plain text. */
const namesInText = (text: string): string[] =>
  [...text.matchAll(/\$\{([A-Za-z0-9]+)(?:\.[^${}]*)?\}/g)].map((match) => match[1] ?? '');

/** A Fn::Sub is a text, or a text with values of its own: then those are found as values. */
const textOf = (value: unknown): string => {
  const text: unknown = Array.isArray(value) ? value[0] : value;
  return typeof text === 'string' ? text : '';
};

const firstOf = (value: unknown): string => {
  const first: unknown = Array.isArray(value) ? value[0] : String(value).split('.')[0];
  return typeof first === 'string' ? first : '';
};

/** Every name that a value refers to. Parameters and pseudo parameters are among them. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'Ref' && typeof member === 'string') return [member];
    if (key === 'Fn::GetAtt') return [firstOf(member)];
    return key === 'Fn::Sub' ? namesInText(textOf(member)).concat(namesIn(member)) : namesIn(member);
  });
}

export function resourcesOf({ template }: AwsDocument, flags: readonly string[]): DeclaredResource[] {
  const layerOf = layerFinder(flags, layerNames);
  const { Resources: resources } = template;
  const dependenciesOf = (own: string, { DependsOn: explicit = [], ...rest }: TemplateResource): string[] =>
    [...new Set([...explicit, ...namesIn(rest)])]
      .filter((name) => name !== own && Object.hasOwn(resources, name))
      .toSorted();
  return Object.entries(resources).map(([name, resource]) => ({
    name,
    type: resource.Type,
    kind: kindsByType.get(resource.Type) ?? 'other',
    layer: layerOf(name),
    dependsOn: dependenciesOf(name, resource),
    definition: resource,
  }));
}
