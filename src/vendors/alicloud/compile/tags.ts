import type { StackModel } from '../../../model/stack-model.ts';
import type { Json, Properties, ResourceType } from '../document.ts';
import { ownTags } from '../names.ts';
import type { Entry } from './context.ts';

type Tag = { Key: string; Value: string };
type AddTags = (properties: Properties, tags: readonly Tag[]) => Properties;

const to =
  (member: string): AddTags =>
  (properties, tags) => ({
    ...properties,
    [member]: [...((properties[member] as readonly Json[] | undefined) ?? []), ...tags],
  });
const toList = to('Tags');

const toMap: AddTags = (properties, tags) => ({
  ...properties,
  Tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
});

/** A load balancer carries five; ROS adds its own, and two of the stack: its id and the note of an update. */
export const balancerTags = 2;
const toBalancer: AddTags = (properties, tags) =>
  tags.length > balancerTags ? properties : toList(properties, tags);

/** Types of resources that can have tags. ROS copies the tags of its stack, which are Almanac's own, to all of them. */
const taggable: Readonly<Partial<Record<ResourceType, AddTags>>> = {
  'ALIYUN::ECS::VPC': toList,
  'ALIYUN::ECS::VSwitch': toList,
  'ALIYUN::VPC::NatGateway': toList,
  'ALIYUN::VPC::EIP': toList,
  'ALIYUN::ECS::SecurityGroup': toList,
  'ALIYUN::ECS::SSHKeyPair': toList,
  'ALIYUN::ECS::InstanceGroup': toList,
  'ALIYUN::ESS::ScalingGroup': toList,
  'ALIYUN::ESS::ScalingConfiguration': to('TagList'),
  'ALIYUN::SLB::LoadBalancer': toBalancer,
  'ALIYUN::RDS::DBInstance': toMap,
  'ALIYUN::RDS::ReadOnlyDBInstance': toMap,
  'ALIYUN::REDIS::Instance': toList,
};

/** Adds the user's tags to a resource, if it can have any. Almanac's own keys win: it finds its servers by them. */
export function withUserTags({ tags = {} }: StackModel, [id, resource]: Entry): Entry {
  const list = Object.entries(tags)
    .filter(([key]) => !ownTags.test(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([Key, Value]) => ({ Key, Value }));
  const add = list.length > 0 ? taggable[resource.Type] : undefined;
  return add ? [id, { ...resource, Properties: add(resource.Properties, list) }] : [id, resource];
}
