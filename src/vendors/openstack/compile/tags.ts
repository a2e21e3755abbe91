import { isObject } from '../../../basics/is-object.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { Dialect } from '../dialect.ts';
import type { Properties } from '../document.ts';
import { ownKeys } from '../names.ts';
import type { Entry } from './context.ts';

type AddTags = (properties: Properties, tags: Readonly<Record<string, string>>) => Properties;

/** Almanac's own keys win: it finds its servers by them. */
const toMetadata: AddTags = (properties, tags) => ({
  ...properties,
  metadata: { ...tags, ...(isObject(properties['metadata']) ? properties['metadata'] : {}) },
});

const toList: AddTags = (properties, tags) => ({
  ...properties,
  tags: Object.entries(tags).map(([key, value]) => `${key}=${value}`),
});

/** The members of a group get them as part of the values they are made from. */
const toMembers: AddTags = (properties, tags) => {
  const member = properties['resource'] as Properties;
  return {
    ...properties,
    resource: { ...member, properties: toMetadata(member['properties'] as Properties, tags) },
  };
};

const toOwnList: AddTags = (properties, tags) => ({
  ...properties,
  Tags: [
    ...(properties['Tags'] as Properties[]),
    ...Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  ],
});

/** Types of resources that can have tags. */
const taggable: Readonly<Record<string, AddTags>> = {
  'OS::Nova::Server': toMetadata,
  'OS::Cinder::Volume': toMetadata,
  'OS::Heat::AutoScalingGroup': toMembers,
  'FCX::AutoScaling::AutoScalingGroup': toOwnList,
};

/** Those of networks are newer than the oldest templates. */
const newlyTaggable: Readonly<Record<string, AddTags>> = {
  'OS::Neutron::Net': toList,
  'OS::Neutron::Subnet': toList,
  'OS::Neutron::Router': toList,
  'OS::Neutron::Port': toList,
};

/** Adds the user's tags to a resource, if it can have any. */
export function withUserTags({ tags = {} }: StackModel, dialect: Dialect, [name, resource]: Entry): Entry {
  const sorted = Object.entries(tags)
    .filter(([key]) => !ownKeys.test(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const add =
    taggable[resource.type] ?? (dialect.capabilities.tags ? newlyTaggable[resource.type] : undefined);
  if (!add || sorted.length === 0) return [name, resource];
  return [name, { ...resource, properties: add(resource.properties ?? {}, Object.fromEntries(sorted)) }];
}
