import type { Layer, StackModel } from '../../../model/stack-model.ts';
import { hasAgent } from '../../shared/agents.ts';
import { type Group, hostLayers } from '../../shared/capacity.ts';
import { balancerLayers } from '../../shared/layers.ts';
import { readHealthTarget } from '../../shared/listeners.ts';
import { attribute, type Properties, ref } from '../document.ts';
import { instanceTypeOf } from '../layout/open-questions.ts';
import { serverSubnets } from '../layout/placement.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { canSignal } from './internet-access.ts';
import { targetGroupNames } from './load-balancers.ts';
import { routeDependencies } from './network.ts';
import { listenersOf, scalingPolicy } from './scaling-policy.ts';
import { launchProperties, signalTimeout } from './servers.ts';
import { serverTags } from './tags.ts';

/** An Auto Scaling group, its launch template and its scaling policy. */
export function group(context: Context, layer: Layer): Entry[] {
  if (layer.capacity.kind !== 'group') return [];
  return [
    launchTemplate(context, layer),
    scalingGroup(context, layer, layer.capacity),
    ...scalingPolicy(context, layer, layer.capacity),
  ];
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

function scalingGroup(context: Context, layer: Layer, capacity: Group): Entry {
  const { model } = context;
  const signals = canSignal(context, layer);
  const hosts = hostLayers(model, layer);
  const targets = targetGroupsOf(model, layer);
  return [
    names.scalingGroup(layer.flag),
    {
      Type: 'AWS::AutoScaling::AutoScalingGroup',
      ...dependsOn([
        ...hosts.flatMap((host) => routeDependencies(context, host)),
        ...listenersOf(context, layer),
      ]),
      ...creationPolicy(capacity, signals),
      UpdatePolicy: updatePolicy(capacity, signals),
      Properties: {
        MinSize: String(capacity.min),
        MaxSize: String(capacity.max),
        Cooldown: String(capacity.cooldownSeconds),
        HealthCheckType: answersChecks(model, layer) ? 'ELB' : 'EC2',
        HealthCheckGracePeriod: capacity.healthCheckGraceSeconds,
        VPCZoneIdentifier: serverSubnets(model, layer, context.choices).map(({ id }) => ref(id)),
        ...(targets.length > 0 ? { TargetGroupARNs: targets.map(ref) } : {}),
        CapacityRebalance: capacity.spotPercent > 0,
        MixedInstancesPolicy: instanceMix(context, layer, capacity),
        Tags: serverTags(context, layer).map(({ Key, Value }) => ({ Key, Value, PropagateAtLaunch: true })),
      },
    },
  ];
}

const targetGroupsOf = (model: StackModel, layer: Layer): string[] =>
  balancerLayers(model, layer).flatMap(({ flag, loadBalancer }) =>
    loadBalancer ? targetGroupNames(flag, loadBalancer) : [],
  );

/**
 * Whether the container listens where the load balancers check. If nothing does, every server fails the check, and a group that
 * heeds it replaces its servers for ever.
 */
const answersChecks = (model: StackModel, layer: Layer): boolean => {
  const checked = balancerLayers(model, layer).flatMap(({ loadBalancer }) =>
    loadBalancer ? [readHealthTarget(loadBalancer.healthCheck.target)?.port ?? 0] : [],
  );
  return checked.length > 0 && checked.every((port) => layer.container?.ports.includes(port));
};

/** A group starts at its minimum size. With a minimum of 0 there is no signal to wait for. */
const creationPolicy = ({ min }: Group, signals: boolean) =>
  signals && min > 0 ? { CreationPolicy: { ResourceSignal: { Count: min, Timeout: signalTimeout } } } : {};

/** Lets a new launch template replace running servers. AWS requires MinInstancesInService to be below the maximum size. */
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

/** There is no desired capacity: every update would undo what scaling did. */
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
