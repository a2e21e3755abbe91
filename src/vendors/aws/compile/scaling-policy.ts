import type { Layer } from '../../../model/stack-model.ts';
import { type Group, scalingOf } from '../../shared/capacity.ts';
import { balancerLayers } from '../../shared/layers.ts';
import { type Properties, ref, substitute } from '../document.ts';
import { requestBalancer } from '../layout/listeners.ts';

import * as names from '../names.ts';
import { type Context, dependsOn, type Entry } from './context.ts';

/**
 * Changes the size of a group with its load. AWS adds servers at once and removes them slowly. New servers do not count in the
 * load until they are warm: that is the cooldown of such a policy, which ignores the group's own.
 */
export function scalingPolicy(context: Context, layer: Layer, capacity: Group): Entry[] {
  const scaling = scalingOf(capacity);
  if (!scaling) return [];
  const { metric, target } = scaling;
  const measured = metric === 'cpu' ? cpu : requestsOf(context, layer);
  return [
    [
      names.scalingPolicy(layer.flag),
      {
        Type: 'AWS::AutoScaling::ScalingPolicy',
        ...dependsOn(metric === 'cpu' ? [] : listenersOf(context, layer)),
        Properties: {
          AutoScalingGroupName: ref(names.scalingGroup(layer.flag)),
          PolicyType: 'TargetTrackingScaling',
          EstimatedInstanceWarmup: capacity.cooldownSeconds,
          TargetTrackingConfiguration: { PredefinedMetricSpecification: measured, TargetValue: target },
        },
      },
    ],
  ];
}

const cpu: Properties = { PredefinedMetricType: 'ASGAverageCPUUtilization' };

/** AWS counts the requests of one target group: that of the first listener. */
function requestsOf({ model }: Context, layer: Layer): Properties {
  const { flag = '', port = 0 } = requestBalancer(balancerLayers(model, layer)) ?? {};
  const balancer = `\${${names.loadBalancer(flag)}.LoadBalancerFullName}`;
  const targets = `\${${names.targetGroup(flag, port)}.TargetGroupFullName}`;
  return {
    PredefinedMetricType: 'ALBRequestCountPerTarget',
    ResourceLabel: substitute(`${balancer}/${targets}`),
  };
}

/** Only a listener makes the load balancer check its targets and count their requests. */
export const listenersOf = ({ model }: Pick<Context, 'model'>, layer: Layer): string[] =>
  balancerLayers(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer?.listeners ?? []).map(({ port }) => names.listener(flag, port)),
  );
