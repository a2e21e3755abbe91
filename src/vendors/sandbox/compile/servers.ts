import { keyPairName } from '../../../model/names.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import {
  type Group,
  hostLayers,
  hostOf,
  type ServerSlot,
  scalingOf,
  serverSlots,
  spotShare,
} from '../../shared/capacity.ts';
import { catalog, defaultImage } from '../catalog.ts';
import type { DocumentResource, Properties } from '../document.ts';
import * as names from '../names.ts';
import { zoneOf } from './network.ts';

/** A layer's own servers. A layer that shares another layer's group has none. */
export function serverResources(model: StackModel, layer: Layer, stackId: string): DocumentResource[] {
  const { capacity } = layer;
  if (capacity.kind === 'shared') return [];
  const launch = launchProperties(model, layer, stackId);
  const hosts = hostLayers(model, layer);
  const servers = serverSlots(layer).map((slot) => {
    const host = hostOf(hosts, slot) ?? layer;
    return serverResource(model, layer, { slot, host, launch });
  });
  if (capacity.kind === 'fixed') return [...volumes(layer), ...servers];
  return [launchConfiguration(layer, launch), scalingGroup(model, layer, capacity), ...servers];
}

const nameOf = ({ flag }: Layer, { spot, index }: ServerSlot): string =>
  spot ? names.spotInstance(flag, index) : names.instance(flag, index);

export const instanceNames = (layer: Layer): string[] =>
  serverSlots(layer).map((slot) => nameOf(layer, slot));

/** The members of a group come and go, so that their files are not persistent. */
const hasVolumes = ({ capacity, container }: Layer): boolean =>
  capacity.kind === 'fixed' && container?.storage?.kind === 'local';

/** The persistent files of each server, which outlive the server. */
const volumes = (layer: Layer): DocumentResource[] =>
  hasVolumes(layer)
    ? serverSlots(layer).map(({ index }) => ({
        name: names.volume(layer.flag, index),
        type: 'Volume',
        dependsOn: [],
        properties: { flag: layer.flag },
      }))
    : [];

const launchProperties = (model: StackModel, layer: Layer, stackId: string): Properties => ({
  instanceType: layer.instanceType ?? catalog.defaultInstanceType,
  machineImage: layer.machineImage ?? defaultImage(model.region),
  volume: {
    type: layer.volume.type ?? catalog.defaultVolumeType,
    sizeGib: layer.volume.sizeGib ?? catalog.defaultVolumeGib,
  },
  keyName: layer.keyPair ? keyPairName(stackId, layer.flag) : null,
});

const securityGroupsOf = ({ flag, capacity }: Layer): string[] => {
  const others = capacity.kind === 'group' ? capacity.securityGroupsOf : [];
  return [...new Set([flag, ...others])].map(names.securityGroup);
};

interface Server {
  slot: ServerSlot;
  /** The layer whose subnet it is in. */
  host: Layer;
  launch: Properties;
}

function serverResource(model: StackModel, layer: Layer, { slot, host, launch }: Server): DocumentResource {
  const subnet = names.subnet(host.flag);
  const group = layer.capacity.kind === 'group' ? names.scalingGroup(layer.flag) : null;
  return {
    name: nameOf(layer, slot),
    type: 'Instance',
    dependsOn: [
      names.gatewayAttachment,
      subnet,
      ...securityGroupsOf(layer),
      ...(layer.keyPair ? [names.keyPair(layer.flag)] : []),
      ...(group ? [group] : []),
      ...(hasVolumes(layer) ? [names.volume(layer.flag, slot.index)] : []),
    ],
    properties: {
      flag: layer.flag,
      role: layer.role,
      ...launch,
      subnet,
      subnetCidr: host.subnet.cidr,
      zone: zoneOf(model, host),
      publicAddress: host.subnet.public && host.subnet.assignPublicIp,
      securityGroups: securityGroupsOf(layer),
      spot: slot.spot,
      group,
    },
  };
}

const launchConfiguration = (layer: Layer, launch: Properties): DocumentResource => ({
  name: names.launchConfiguration(layer.flag),
  type: 'LaunchConfiguration',
  dependsOn: [...securityGroupsOf(layer), ...(layer.keyPair ? [names.keyPair(layer.flag)] : [])],
  properties: { ...launch, securityGroups: securityGroupsOf(layer) },
});

function scalingGroup(model: StackModel, layer: Layer, capacity: Group): DocumentResource {
  const { min, max, spotPercent, zones, cooldownSeconds, healthCheckGraceSeconds } = capacity;
  const hosts = hostLayers(model, layer);
  const subnets = hosts.map((host) => names.subnet(host.flag));
  const loadBalancers = hosts.filter((host) => host.loadBalancer && servesGroup(host, layer));
  const balancerNames = loadBalancers.map((host) => names.loadBalancer(host.flag));
  const spot = { min: spotShare(min, spotPercent), max: spotShare(max, spotPercent) };
  return {
    name: names.scalingGroup(layer.flag),
    type: 'AutoScalingGroup',
    dependsOn: [names.launchConfiguration(layer.flag), ...subnets, ...balancerNames],
    properties: {
      flag: layer.flag,
      launchConfiguration: names.launchConfiguration(layer.flag),
      min,
      max,
      spot,
      onDemand: { min: min - spot.min, max: max - spot.max },
      zones: zones.length > 0 ? zones : [...new Set(hosts.map((host) => zoneOf(model, host)))],
      subnets,
      loadBalancers: balancerNames,
      cooldownSeconds,
      healthCheckGraceSeconds,
      scaling: scalingOf(capacity),
    },
  };
}

const servesGroup = (host: Layer, owner: Layer): boolean =>
  host.flag === owner.flag || host.capacity.kind === 'shared';
