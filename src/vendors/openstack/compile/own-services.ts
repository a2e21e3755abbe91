import { createHash } from 'node:crypto';
import { resourceSuffix } from '../../../model/names.ts';
import type { Database, Layer, LoadBalancer } from '../../../model/stack-model.ts';
import { type Group, scalingOf } from '../../shared/capacity.ts';
import { balancerLayers, namedLayers, securityGroupLayers } from '../../shared/layers.ts';
import { databaseEngines } from '../catalog.ts';
import { type Properties, parameter, resource } from '../document.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { applicationName } from './databases.ts';
import { scalingMetadata } from './groups.ts';
import { serverMetadata, zoneOf } from './launch.ts';
import { balancerHost, innerSecurityGroup } from './traffic-rules.ts';
import { userData } from './user-data.ts';

/** Groups, load balancers and databases of K5, which are not those of OpenStack. */

export function ownGroup(context: Context, layer: Layer): Entry[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group') return [];
  return [
    launchConfiguration(context, layer),
    scalingGroup(context, layer, capacity),
    ...scalingPolicies(layer, capacity),
  ];
}

function launchConfiguration(context: Context, layer: Layer): Entry {
  const chosen = context.choices.servers[layer.flag];
  const script = userData(context, layer);
  return [
    names.launchConfiguration(layer.flag),
    {
      type: 'FCX::AutoScaling::LaunchConfiguration',
      properties: {
        ImageId: chosen?.image ?? '',
        InstanceType: chosen?.flavor.name ?? '',
        SecurityGroups: securityGroupLayers(context.model, layer).map(({ flag }) =>
          resource(names.securityGroup(flag)),
        ),
        ...(layer.keyPair ? { KeyName: resource(names.keyPair(layer.flag)) } : {}),
        BlockDeviceMappingsV2: [bootVolume(chosen?.image ?? '', chosen?.volume?.sizeGib ?? 0)],
        ...(script === undefined ? {} : { UserData: script }),
      },
    },
  ];
}

const bootVolume = (image: string, sizeGib: number): Properties => ({
  source_type: 'image',
  destination_type: 'volume',
  boot_index: '0',
  device_name: '/dev/vda',
  volume_size: String(sizeGib),
  uuid: image,
  delete_on_termination: true,
});

function scalingGroup(context: Context, layer: Layer, capacity: Group): Entry {
  const balancers = balancerLayers(context.model, layer).map(({ flag }) =>
    resource(names.loadBalancer(flag)),
  );
  return [
    names.scalingGroup(layer.flag),
    {
      type: 'FCX::AutoScaling::AutoScalingGroup',
      ...dependsOn([names.routerInterface(layer.flag)]),
      ...scalingMetadata(capacity),
      properties: {
        AvailabilityZones: [zoneOf(context, layer) ?? ''],
        LaunchConfigurationName: resource(names.launchConfiguration(layer.flag)),
        MinSize: capacity.min,
        MaxSize: capacity.max,
        Cooldown: capacity.cooldownSeconds,
        HealthCheckGracePeriod: capacity.healthCheckGraceSeconds,
        VPCZoneIdentifier: [resource(names.subnet(layer.flag))],
        ...(balancers.length > 0 ? { LoadBalancerNames: balancers } : {}),
        Tags: Object.entries(serverMetadata(context, layer)).map(([Key, Value]) => ({ Key, Value })),
      },
    },
  ];
}

function scalingPolicies({ flag }: Layer, capacity: Group): Entry[] {
  if (!scalingOf(capacity)) return [];
  const policy = (name: string, ScalingAdjustment: number): Entry => [
    name,
    {
      type: 'FCX::AutoScaling::ScalingPolicy',
      properties: {
        AdjustmentType: 'ChangeInCapacity',
        AutoScalingGroupName: resource(names.scalingGroup(flag)),
        Cooldown: capacity.cooldownSeconds,
        ScalingAdjustment,
      },
    },
  ];
  return [policy(names.scaleOut(flag), 1), policy(names.scaleIn(flag), -1)];
}

/** At most 30 letters, digits and hyphens, unique in the project. */
const balancerName = (stackId: string, flag: string): string => {
  const hash = createHash('sha256').update(`${stackId} ${flag}`).digest('hex').slice(0, 12);
  return `alm-${hash}-${resourceSuffix(flag).slice(0, 12)}`;
};

export function ownLoadBalancing(context: Context, layer: Layer): Entry[] {
  const { loadBalancer: balancer, flag } = layer;
  if (!balancer) return [];
  const groups = namedLayers(context.model, balancer.securityGroupsOf, layer);
  return [
    [
      names.loadBalancer(flag),
      {
        type: 'FCX::ExpandableLoadBalancer::LoadBalancer',
        properties: {
          LoadBalancerName: balancerName(context.stackId, flag),
          Scheme: balancer.scheme === 'internal' ? 'internal' : 'public',
          Subnets: [resource(names.subnet(balancerHost(context, layer).flag))],
          SecurityGroups: groups.map((each) => resource(names.securityGroup(each.flag))),
          Listeners: balancer.listeners.map((each) => listenerOf(balancer, each)),
          HealthCheck: healthCheckOf(balancer),
        },
      },
    ],
  ];
}

const listenerOf = (
  { kind }: LoadBalancer,
  { port, instancePort, protocol, instanceProtocol }: LoadBalancer['listeners'][number],
): Properties => {
  const readsHttp = kind !== 'network' && protocol === 'http';
  return {
    LoadBalancerPort: String(port),
    InstancePort: String(instancePort),
    Protocol: readsHttp ? 'HTTP' : 'TCP',
    InstanceProtocol: readsHttp ? instanceProtocol.toUpperCase() : 'TCP',
  };
};

const healthCheckOf = ({ healthCheck }: LoadBalancer): Properties => ({
  Target: healthCheck.target,
  Interval: String(healthCheck.intervalSeconds),
  Timeout: String(healthCheck.timeoutSeconds),
  HealthyThreshold: String(healthCheck.healthyThreshold),
  UnhealthyThreshold: String(healthCheck.unhealthyThreshold),
});

export const ownDatabaseSubnets = (): Entry => [
  names.databaseSubnets,
  {
    type: 'FCX::Database::DBSubnetGroup',
    ...dependsOn([names.dataRouterInterface]),
    properties: { subnetIds: [resource(names.dataSubnet)] },
  },
];

export function ownDatabase(context: Context, model: Database): Entry[] {
  const { name, engine, storageGib, multiZone } = model;
  const chosen = context.choices.databases[name];
  const { port } = databaseEngines[engine];
  const version = chosen?.version ?? '';
  return [
    [
      names.databaseSecurityGroup(name),
      innerSecurityGroup(context, `Database ${resourceSuffix(name)}`, port),
    ],
    [
      names.database(name),
      {
        type: 'FCX::Database::DBInstance',
        properties: {
          name: names.databaseName(context.stackId, name),
          flavorRef: chosen?.flavor.name ?? '',
          volume: { size: storageGib, type: 'M1' },
          engine,
          ...(version === '' ? {} : { engineVersion: version }),
          port,
          masterUserName: applicationName,
          masterUserPassword: parameter(names.databasePasswordParameter),
          databases: [{ name: applicationName }],
          subnetGroupId: resource(names.databaseSubnets),
          securityGroupIds: [resource(names.databaseSecurityGroup(name))],
          availabilityZone: context.choices.zone,
          multi_az: multiZone,
        },
      },
    ],
  ];
}
