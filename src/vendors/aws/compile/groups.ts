import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { attribute, type Properties, ref } from '../document.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { frontsOf, type Group, homesOf } from '../layout/placement.ts';
import * as names from '../names.ts';
import { after, type Context, type Entry } from './context.ts';
import { targetGroupNames } from './front.ts';
import { wayOutOf } from './network.ts';
import { launchProperties, serverTags, signalTimeout } from './servers.ts';
import { hasAgent } from './user-data.ts';
import { canSignal } from './way-out.ts';

/** A group of servers that grows and shrinks, and what each of them is made from. */
export function group(context: Context, layer: Layer): Entry[] {
  if (layer.capacity.kind !== 'group') return [];
  const signals = canSignal(context, layer);
  return [launchTemplate(context, layer), scalingGroup(context, layer, layer.capacity, signals)];
}

function launchTemplate(context: Context, layer: Layer): Entry {
  const { flag } = layer;
  const tags = serverTags(context, layer);
  return [
    names.launchTemplate(flag),
    {
      Type: 'AWS::EC2::LaunchTemplate',
      Properties: {
        LaunchTemplateData: {
          ...launchProperties(context, layer, names.scalingGroup(flag)),
          ...(hasAgent(context, layer)
            ? { IamInstanceProfile: { Arn: attribute(names.instanceProfile(flag), 'Arn') } }
            : {}),
          TagSpecifications: ['instance', 'volume'].map((type) => ({ ResourceType: type, Tags: tags })),
        },
      },
    },
  ];
}

function scalingGroup(context: Context, layer: Layer, capacity: Group, signals: boolean): Entry {
  const { model } = context;
  const homes = homesOf(model, layer);
  const targets = targetGroupsOf(model, layer);
  return [
    names.scalingGroup(layer.flag),
    {
      Type: 'AWS::AutoScaling::AutoScalingGroup',
      ...after([...homes.flatMap((home) => wayOutOf(context, home)), ...listenersOf(model, layer)]),
      ...creationPolicy(capacity, signals),
      UpdatePolicy: updatePolicy(capacity, signals),
      Properties: {
        MinSize: String(capacity.min),
        MaxSize: String(capacity.max),
        Cooldown: String(capacity.cooldownSeconds),
        HealthCheckType: targets.length > 0 ? 'ELB' : 'EC2',
        HealthCheckGracePeriod: capacity.healthCheckGraceSeconds,
        VPCZoneIdentifier: homes.map((home) => ref(names.subnet(home.flag))),
        ...(targets.length > 0 ? { TargetGroupARNs: targets.map(ref) } : {}),
        CapacityRebalance: capacity.spotPercent > 0,
        MixedInstancesPolicy: instanceMix(context, layer, capacity),
        Tags: serverTags(context, layer).map(({ Key, Value }) => ({ Key, Value, PropagateAtLaunch: true })),
      },
    },
  ];
}

const targetGroupsOf = (model: StackModel, layer: Layer): string[] =>
  frontsOf(model, layer).flatMap(({ flag, loadBalancer }) =>
    loadBalancer ? targetGroupNames(flag, loadBalancer) : [],
  );

/** Servers are handed requests only by a listener; without one their health would say nothing. */
const listenersOf = (model: StackModel, layer: Layer): string[] =>
  frontsOf(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer?.listeners ?? []).map(({ port }) => names.listener(flag, port)),
  );

/** A group begins with as many as it has at the least; from none there is nothing to wait for. */
const creationPolicy = ({ min }: Group, signals: boolean) =>
  signals && min > 0 ? { CreationPolicy: { ResourceSignal: { Count: min, Timeout: signalTimeout } } } : {};

/** Without it a new launch template would reach no server that runs. AWS wants room below the greatest size to work in. */
const updatePolicy = ({ min, max }: Group, signals: boolean): Properties => ({
  AutoScalingRollingUpdate: {
    MinInstancesInService: Math.max(0, Math.min(min, max - 1)),
    MaxBatchSize: Math.max(1, Math.ceil(max / 4)),
    WaitOnResourceSignals: signals,
    PauseTime: signals ? signalTimeout : 'PT5M',
    SuspendProcesses: [
      'HealthCheck',
      'ReplaceUnhealthy',
      'AZRebalance',
      'AlarmNotification',
      'ScheduledActions',
    ],
  },
});

/** No wanted size is given: it would undo at every update what scaling did. */
function instanceMix({ choices }: Context, layer: Layer, { spotPercent }: Group): Properties {
  const template = names.launchTemplate(layer.flag);
  const type = instanceTypeOf(layer);
  const types = spotPercent > 0 ? [type, ...(choices.siblings[type] ?? [])] : [];
  return {
    InstancesDistribution: {
      OnDemandBaseCapacity: 0,
      OnDemandPercentageAboveBaseCapacity: 100 - spotPercent,
      SpotAllocationStrategy: 'price-capacity-optimized',
    },
    LaunchTemplate: {
      LaunchTemplateSpecification: {
        LaunchTemplateId: ref(template),
        Version: attribute(template, 'LatestVersionNumber'),
      },
      ...(types.length > 0 ? { Overrides: types.map((InstanceType) => ({ InstanceType })) } : {}),
    },
  };
}
