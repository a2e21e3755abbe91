import { keyPairName } from '../../../model/names.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { CompiledResource, Json, Properties } from '../document.ts';
import * as names from '../names.ts';
import type { Context, Entry } from './context.ts';

type Tag = { Key: string; Value: string };
type AddTags = (properties: Properties, tags: readonly Tag[]) => Properties;

/** The tags by which servers are found. */
export const serverTags = ({ stackId }: Context, { flag }: Layer): Tag[] => [
  { Key: names.stackTag, Value: stackId },
  { Key: names.flagTag, Value: flag },
  { Key: 'Name', Value: keyPairName(stackId, flag) },
];

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const toList: AddTags = (properties, tags) => ({
  ...properties,
  Tags: [...listOf(properties['Tags']), ...tags],
});

/** Instances that a group launches get its tags. */
const toGroup: AddTags = (properties, tags) =>
  toList(
    properties,
    tags.map((tag) => ({ ...tag, PropagateAtLaunch: true })),
  );

/** The template itself, and the instances and volumes that are launched from it. */
const toLaunchTemplate: AddTags = (properties, tags) => {
  const data = properties['LaunchTemplateData'] as Properties;
  const launched = listOf(data['TagSpecifications']) as readonly Properties[];
  return {
    ...properties,
    LaunchTemplateData: { ...data, TagSpecifications: launched.map((each) => toList(each, tags)) },
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: tags }],
  };
};

/**
 * Types of resources that can have tags. They are not tags of the CloudFormation stack, which it would copy to every
 * resource: a key pair whose tags change is replaced, with every server that uses it.
 */
const taggable: Readonly<Record<string, AddTags>> = {
  'AWS::AutoScaling::AutoScalingGroup': toGroup,
  'AWS::EC2::EIP': toList,
  'AWS::EC2::Instance': toList,
  'AWS::EC2::InternetGateway': toList,
  'AWS::EC2::LaunchTemplate': toLaunchTemplate,
  'AWS::EC2::NatGateway': toList,
  'AWS::EC2::NetworkAcl': toList,
  'AWS::EC2::RouteTable': toList,
  'AWS::EC2::SecurityGroup': toList,
  'AWS::EC2::Subnet': toList,
  'AWS::EC2::VPC': toList,
  'AWS::EC2::Volume': toList,
  'AWS::ElastiCache::CacheCluster': toList,
  'AWS::ElastiCache::ReplicationGroup': toList,
  'AWS::ElastiCache::SubnetGroup': toList,
  'AWS::ElasticLoadBalancingV2::LoadBalancer': toList,
  'AWS::ElasticLoadBalancingV2::TargetGroup': toList,
  'AWS::IAM::Role': toList,
  'AWS::RDS::DBInstance': toList,
  'AWS::RDS::DBSubnetGroup': toList,
  'AWS::SecretsManager::Secret': toList,
};

/** Adds the user's tags to a resource, if it can have any. */
export function withUserTags({ tags = {} }: StackModel, [id, resource]: Entry): Entry {
  const list = Object.entries(tags)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));
  const add = list.length > 0 ? taggable[resource.Type] : undefined;
  if (!add) return [id, resource];
  const tagged: CompiledResource = { ...resource, Properties: add(resource.Properties ?? {}, list) };
  return [id, tagged];
}
