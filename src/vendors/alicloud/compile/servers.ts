import { createHash } from 'node:crypto';
import { resourceSuffix } from '../../../model/names.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { maxServers, securityGroupLayers } from '../../shared/layers.ts';
import { catalog, volumeGib } from '../catalog.ts';
import { attribute, type Json, type Properties, ref } from '../document.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { internetMbits, routeDependencies } from './network.ts';
import { userData } from './user-data.ts';

const hasPublicAddress = ({ subnet }: Layer): boolean => subnet.public && subnet.assignPublicIp;

/** The size of a boot disk, which is at least the smallest one. */
export const diskGib = ({ volume }: Layer): number =>
  Math.max(volumeGib.min, volume.sizeGib ?? catalog.defaultVolumeGib);

/** What servers are made from, in the names that fixed servers and groups have in common. */
function launchProperties(context: Context, layer: Layer): Properties {
  const script = userData(context, layer);
  return {
    ImageId: context.choices.servers[layer.flag]?.image ?? '',
    SystemDiskCategory: layer.volume.type ?? catalog.defaultVolumeType,
    SystemDiskSize: diskGib(layer),
    ...(layer.keyPair ? { KeyPairName: attribute(names.keyPair(layer.flag), 'KeyPairName') } : {}),
    InternetChargeType: 'PayByTraffic',
    InternetMaxBandwidthOut: hasPublicAddress(layer) ? internetMbits : 0,
    ...(script === undefined ? {} : { RamRoleName: attribute(names.role, 'RoleName'), UserData: script }),
  };
}

export interface Launch {
  properties: Properties;
  /** Of the layers that the servers belong to. */
  securityGroups: Json;
  tags: Json;
  mark: string;
}

/** `types`: instance types. The mark is another one if servers that run were made from something else. */
export function launchOf(context: Context, layer: Layer, types: readonly string[]): Launch {
  const properties = launchProperties(context, layer);
  const securityGroups = securityGroupLayers(context.model, layer).map(({ flag }) =>
    ref(names.securityGroup(flag)),
  );
  const made = JSON.stringify([types, securityGroups, properties]);
  const mark = createHash('sha256').update(made).digest('hex').slice(0, 8);
  const tags = [
    { Key: names.stackTag, Value: context.stackId },
    { Key: names.flagTag, Value: layer.flag },
    { Key: names.launchTag, Value: mark },
  ];
  return { properties, securityGroups, tags, mark };
}

/** Containers of fixed servers may keep files on the disk; members of groups come and go. */
export const keepsFiles = (layer: Layer): boolean =>
  layer.capacity.kind === 'fixed' && maxServers(layer) > 0 && layer.container?.storage?.kind === 'local';

/** Names of servers start with a letter, and stack ids do. */
export const serverName = (stackId: string, flag: string): string =>
  `${stackId}-${resourceSuffix(flag)}`.slice(0, 128);

const typeOf = ({ choices }: Context, { flag }: Layer): string => choices.servers[flag]?.type ?? '';

export const fixedLaunch = (context: Context, layer: Layer): Launch =>
  launchOf(context, layer, [typeOf(context, layer)]);

/** The servers of a layer with a fixed number of servers. */
export function servers(context: Context, layer: Layer): Entry[] {
  const { flag, capacity } = layer;
  if (capacity.kind !== 'fixed' || maxServers(layer) === 0) return [];
  const { properties, securityGroups, tags } = fixedLaunch(context, layer);
  return [
    [
      names.instances(flag),
      {
        Type: 'ALIYUN::ECS::InstanceGroup',
        ...dependsOn(routeDependencies(context, layer)),
        Properties: {
          MaxAmount: capacity.count,
          InstanceType: typeOf(context, layer),
          InstanceName: serverName(context.stackId, flag),
          VpcId: ref(names.network),
          VSwitchId: ref(names.subnet(flag)),
          SecurityGroupIds: securityGroups,
          ...properties,
          AllocatePublicIP: hasPublicAddress(layer),
          Tags: tags,
          // Otherwise another type or image would reach new servers only.
          UpdatePolicy: 'ForAllInstances',
          DeletionForce: true,
        },
      },
    ],
  ];
}
