import type { Layer } from '../../../model/stack-model.ts';
import { type Group, hostLayers, scalingOf } from '../../shared/capacity.ts';
import { balancerLayers } from '../../shared/layers.ts';
import { type Properties, ref } from '../document.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';
import { routeDependencies } from './network.ts';
import { type Launch, launchOf, serverName } from './servers.ts';

/** A scaling group, what its servers are made from, the switch that starts it, and what it scales by. */
export function group(context: Context, layer: Layer): Entry[] {
  const { capacity } = layer;
  if (capacity.kind !== 'group') return [];
  return [
    scalingGroup(context, layer, capacity),
    scalingConfiguration(context, layer, capacity),
    scalingEnable(context, layer),
    ...scalingRule(layer, capacity),
  ];
}

const typesOf = ({ choices }: Context, { flag }: Layer): string[] => {
  const { type = '', siblings = [] } = choices.servers[flag] ?? {};
  return [type, ...siblings];
};

export const groupLaunch = (context: Context, layer: Layer): Launch =>
  launchOf(context, layer, typesOf(context, layer));

/** Only spot servers need a policy: without it ESS ignores the percentage. */
const spotProperties = ({ spotPercent }: Group): Properties =>
  spotPercent === 0
    ? { MultiAZPolicy: 'BALANCE' }
    : {
        MultiAZPolicy: 'COST_OPTIMIZED',
        OnDemandBaseCapacity: 0,
        OnDemandPercentageAboveBaseCapacity: 100 - spotPercent,
        SpotInstancePools: 2,
        SpotInstanceRemedy: true,
        CompensateWithOnDemand: true,
      };

/** There is no desired capacity: every update would undo what scaling did. */
function scalingGroup(context: Context, layer: Layer, capacity: Group): Entry {
  const { model } = context;
  const balancers = balancerLayers(model, layer);
  return [
    names.scalingGroup(layer.flag),
    {
      Type: 'ALIYUN::ESS::ScalingGroup',
      // ESS refuses a load balancer without listeners.
      ...dependsOn(
        balancers.flatMap(({ flag, loadBalancer }) =>
          (loadBalancer?.listeners ?? []).map(({ port }) => names.listener(flag, port)),
        ),
      ),
      Properties: {
        MinSize: capacity.min,
        MaxSize: capacity.max,
        DefaultCooldown: capacity.cooldownSeconds,
        VSwitchIds: hostLayers(model, layer).map(({ flag }) => ref(names.subnet(flag))),
        ...(balancers.length > 0
          ? { LoadBalancerIds: balancers.map(({ flag }) => ref(names.loadBalancer(flag))) }
          : {}),
        HealthCheckType: 'ECS',
        RemovalPolicys: ['OldestScalingConfiguration', 'OldestInstance'],
        ...spotProperties(capacity),
      },
    },
  ];
}

function scalingConfiguration(context: Context, layer: Layer, { spotPercent }: Group): Entry {
  const { properties, securityGroups, tags } = groupLaunch(context, layer);
  return [
    names.scalingConfiguration(layer.flag),
    {
      Type: 'ALIYUN::ESS::ScalingConfiguration',
      Properties: {
        ScalingGroupId: ref(names.scalingGroup(layer.flag)),
        InstanceTypes: typesOf(context, layer),
        InstanceName: serverName(context.stackId, layer.flag),
        SecurityGroupIds: securityGroups,
        ...properties,
        SpotStrategy: spotPercent > 0 ? 'SpotAsPriceGo' : 'NoSpot',
        TagList: tags,
      },
    },
  ];
}

/** A group launches nothing before it is enabled, and its servers need their way out. */
const scalingEnable = (context: Context, layer: Layer): Entry => [
  names.scalingEnable(layer.flag),
  {
    Type: 'ALIYUN::ESS::ScalingGroupEnable',
    ...dependsOn(hostLayers(context.model, layer).flatMap((host) => routeDependencies(context, host))),
    Properties: {
      ScalingGroupId: ref(names.scalingGroup(layer.flag)),
      ScalingConfigurationId: ref(names.scalingConfiguration(layer.flag)),
    },
  },
];

/** A new server does not count before it had the time that its first check would have. */
function scalingRule({ flag }: Layer, capacity: Group): Entry[] {
  const scaling = scalingOf(capacity);
  if (!scaling) return [];
  return [
    [
      names.scalingRule(flag),
      {
        Type: 'ALIYUN::ESS::ScalingRule',
        Properties: {
          ScalingGroupId: ref(names.scalingGroup(flag)),
          ScalingRuleType: 'TargetTrackingScalingRule',
          MetricName: 'CpuUtilization',
          TargetValue: scaling.target,
          DisableScaleIn: false,
          EstimatedInstanceWarmup: capacity.healthCheckGraceSeconds,
        },
      },
    ],
  ];
}
