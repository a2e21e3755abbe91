import type { Layer } from '../../../model/stack-model.ts';
import { type Group, scalingOf } from '../../shared/capacity.ts';
import { balancerLayers } from '../../shared/layers.ts';
import { type Properties, resource } from '../document.ts';
import * as names from '../names.ts';
import { type Context, dependsOn, type Entry, type FileEntry } from './context.ts';
import { waitMark } from './launch.ts';
import { memberOf } from './member.ts';

/** A group of servers. Its members are stacks of their own file. */
export function group(context: Context, layer: Layer): Entry[] {
  const { capacity, flag } = layer;
  if (capacity.kind !== 'group') return [];
  return [
    [
      names.scalingGroup(flag),
      {
        type: 'OS::Heat::AutoScalingGroup',
        ...dependsOn([names.routerInterface(flag), ...monitorsOf(context, layer)]),
        ...scalingMetadata(capacity),
        properties: {
          // No desired capacity: every update would undo what scaling did.
          min_size: capacity.min,
          max_size: capacity.max,
          cooldown: capacity.cooldownSeconds,
          rolling_updates: rollingUpdates(capacity, waitMark(context, layer) !== undefined),
          resource: { type: names.memberFile(flag), properties: memberOf(context, layer).properties },
        },
      },
    ],
    ...scalingPolicies(layer, capacity),
  ];
}

export const memberFile = (context: Context, layer: Layer): FileEntry[] =>
  layer.capacity.kind === 'group' ? [[names.memberFile(layer.flag), memberOf(context, layer).template]] : [];

/** Members are added to pools, which change only after their load balancer has settled. */
const monitorsOf = ({ model }: Context, layer: Layer): string[] =>
  balancerLayers(model, layer).flatMap(({ flag, loadBalancer }) =>
    (loadBalancer?.listeners ?? []).map(({ port }) => names.healthMonitor(flag, port)),
  );

/** Without agents that report, only time can tell that new servers work. */
const maxPauseSeconds = 300;

const rollingUpdates = ({ min, max, healthCheckGraceSeconds }: Group, waits: boolean): Properties => ({
  min_in_service: Math.max(0, Math.min(min, max - 1)),
  max_batch_size: Math.max(1, Math.ceil(max / 4)),
  pause_time: waits ? 0 : Math.min(healthCheckGraceSeconds, maxPauseSeconds),
});

/** What the group scales by, for the sender of the signals. */
export const scalingMetadata = (capacity: Group): { metadata?: Properties } => {
  const scaling = scalingOf(capacity);
  return scaling ? { metadata: { scaling: { metric: scaling.metric, target: scaling.target } } } : {};
};

/** Most clouds have no alarms, and addresses for alarms need tokens that expire: signals come from outside. */
function scalingPolicies({ flag }: Layer, capacity: Group): Entry[] {
  if (!scalingOf(capacity)) return [];
  const policy = (name: string, scaling_adjustment: number): Entry => [
    name,
    {
      type: 'OS::Heat::ScalingPolicy',
      properties: {
        adjustment_type: 'change_in_capacity',
        auto_scaling_group_id: resource(names.scalingGroup(flag)),
        cooldown: capacity.cooldownSeconds,
        scaling_adjustment,
      },
    },
  ];
  return [policy(names.scaleOut(flag), 1), policy(names.scaleIn(flag), -1)];
}
