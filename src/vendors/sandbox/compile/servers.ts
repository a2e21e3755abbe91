import { keyPairName } from '../../../model/names.ts';
import type { Capacity, Layer, StackModel } from '../../../model/stack-model.ts';
import { catalog, defaultImage } from '../catalog.ts';
import type { DocumentResource, Properties } from '../document.ts';
import * as names from '../names.ts';
import { zoneOf } from './network.ts';

export type Group = Extract<Capacity, { kind: 'group' }>;

/** Of so many instances, how many are spot instances: the percentage, rounded half up. */
export const spotShare = (instances: number, percent: number): number =>
  Math.floor((instances * percent + 50) / 100);

/** A layer's own servers. One that shares another layer's group has none. */
export function serverResources(model: StackModel, layer: Layer, stackId: string): DocumentResource[] {
  const { capacity } = layer;
  if (capacity.kind === 'shared') return [];
  const launch = launchProperties(model, layer, stackId);
  if (capacity.kind === 'group')
    return [
      launchConfiguration(layer, launch),
      scalingGroup(model, layer, capacity),
      ...members(model, layer, capacity, launch),
    ];
  return instanceNames(layer).map((name) => server(model, layer, { name, home: layer, spot: false, launch }));
}

interface Slot {
  name: string;
  spot: boolean;
  /** Counted apart for spot and ordinary ones, so that a growing group renames and moves none it has. */
  index: number;
}

/** The servers a layer itself has; those of a group are its members at the least size. */
function slotsOf({ flag, capacity }: Layer): Slot[] {
  const count = capacity.kind === 'fixed' ? capacity.count : capacity.kind === 'group' ? capacity.min : 0;
  const spotCount = capacity.kind === 'group' ? spotShare(count, capacity.spotPercent) : 0;
  return Array.from({ length: count }, (_, position) => {
    const index = position - (count - spotCount);
    return index < 0
      ? { name: names.instance(flag, position), spot: false, index: position }
      : { name: names.spotInstance(flag, index), spot: true, index };
  });
}

export const instanceNames = (layer: Layer): string[] => slotsOf(layer).map((slot) => slot.name);

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

/** The layers whose subnets a group spans: its own, those it names, and those that lend it theirs. */
export const homesOf = (model: StackModel, layer: Layer, capacity: Group): Layer[] =>
  model.layers.filter(
    (other) =>
      other.flag === layer.flag ||
      capacity.subnetsOf.includes(other.flag) ||
      (other.capacity.kind === 'shared' && other.capacity.groupOf === layer.flag),
  );

interface Server {
  name: string;
  home: Layer;
  spot: boolean;
  launch: Properties;
}

function server(model: StackModel, layer: Layer, { name, home, spot, launch }: Server): DocumentResource {
  const subnet = names.subnet(home.flag);
  const group = layer.capacity.kind === 'group' ? names.scalingGroup(layer.flag) : null;
  return {
    name,
    type: 'Instance',
    dependsOn: [
      names.gatewayAttachment,
      subnet,
      ...securityGroupsOf(layer),
      ...(layer.keyPair ? [names.keyPair(layer.flag)] : []),
      ...(group ? [group] : []),
    ],
    properties: {
      flag: layer.flag,
      role: layer.role,
      ...launch,
      subnet,
      subnetCidr: home.subnet.cidr,
      zone: zoneOf(model, home),
      publicAddress: home.subnet.public && home.subnet.assignPublicIp,
      securityGroups: securityGroupsOf(layer),
      spot,
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
  const homes = homesOf(model, layer, capacity);
  const subnets = homes.map((home) => names.subnet(home.flag));
  const loadBalancers = homes.filter((home) => home.loadBalancer && servesGroup(home, layer));
  const balancerNames = loadBalancers.map((home) => names.loadBalancer(home.flag));
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
      zones: zones.length > 0 ? zones : [...new Set(homes.map((home) => zoneOf(model, home)))],
      subnets,
      loadBalancers: balancerNames,
      cooldownSeconds,
      healthCheckGraceSeconds,
    },
  };
}

const servesGroup = (home: Layer, owner: Layer): boolean =>
  home.flag === owner.flag || home.capacity.kind === 'shared';

/** The group's members, spread over its subnets. */
function members(model: StackModel, layer: Layer, capacity: Group, launch: Properties): DocumentResource[] {
  const homes = homesOf(model, layer, capacity);
  return slotsOf(layer).map(({ name, spot, index }) => {
    const home = homes[(spot ? index + 1 : index) % homes.length] ?? layer;
    return server(model, layer, { name, home, spot, launch });
  });
}
