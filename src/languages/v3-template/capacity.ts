import type { Static } from 'typebox';
import { at } from '../../basics/problem.ts';
import type { Capacity } from '../../model/stack-model.ts';
import { groupRange, groupScaling, groupTimes } from '../defaults.ts';
import { computed } from '../placeholders.ts';
import { below, type Location } from '../report.ts';
import { readReferences } from './references.ts';
import type { TemplateLayer } from './schema.ts';
import type { autoScaling } from './schema-provision.ts';

type AutoScaling = Static<typeof autoScaling>;
type Group = Extract<Capacity, { kind: 'group' }>;

/** A layer, the location of its `provision`, and the layers it may refer to. */
export interface LayerContext extends Location {
  layer: TemplateLayer;
  layers: readonly TemplateLayer[];
}

export const knownFlags = ({ layers }: LayerContext): readonly string[] => layers.map(({ flag }) => flag);

const readSpotPercent = (group: AutoScaling, max: number, { path, report }: Location): number => {
  const { spot_range: percent, spot_min: spotMin, spot_max: spotMax = spotMin } = group;
  if (percent !== undefined && spotMax !== undefined)
    report(at(path, 'spot_range'), 'cannot be combined with spot_min or spot_max; keep only spot_range.');
  if (percent !== undefined || spotMax === undefined) return percent ?? 0;
  const name = group.spot_max === undefined ? 'spot_min' : 'spot_max';
  if (spotMax > max) report(at(path, name), `must not exceed max (${max}).`);
  if (spotMin !== undefined && spotMin > spotMax)
    report(at(path, 'spot_min'), `must not exceed spot_max (${spotMax}).`);
  return max === 0 ? 0 : Math.floor((spotMax / max) * 100 + 0.5);
};

/** Empty: the vendor chooses the zones. */
const readZones = (group: AutoScaling, context: LayerContext): readonly string[] => {
  const path = at(context.path, 'auto_scaling/availability_zones');
  const given = group.availability_zones ?? context.layer.provision?.availability_zone ?? computed;
  if (given === computed) return [];
  const zones = (typeof given === 'string' ? given.split(',') : given).map((zone) => zone.trim());
  if (zones.length === 0)
    context.report(path, 'must not be empty. Omit it, and the vendor chooses the zones.');
  if (zones.includes('')) context.report(path, 'must be zones separated by commas, without empty entries.');
  if (new Set(zones).size < zones.length) context.report(path, 'must not contain the same zone twice.');
  return zones;
};

const otherLayers = (group: AutoScaling, member: 'subnets' | 'security_groups', context: LayerContext) => {
  const place = {
    ...context,
    path: at(context.path, 'auto_scaling', member),
    knownFlags: knownFlags(context),
  };
  const kind = member === 'subnets' ? 'subnet' : 'security_group';
  const text = group[member];
  return text === undefined
    ? []
    : readReferences(text, kind, place).filter((flag) => flag !== context.layer.flag);
};

const readScaling = (group: AutoScaling, { path, report }: Location): Group['scaling'] => {
  const { scaling: isEnabled, target_cpu: cpu, target_requests: requests } = group;
  if (cpu !== undefined && requests !== undefined)
    report(at(path, 'target_requests'), 'cannot be combined with target_cpu; keep one of them.');
  return groupScaling({ isEnabled, cpu, requests });
};

const compileGroup = (group: AutoScaling, context: LayerContext): Capacity => {
  const location = below(context, 'auto_scaling');
  const { min, max } = groupRange(group.min, group.max);
  if (min > max) context.report(at(location.path, 'min'), `must not exceed max (${max}).`);
  return {
    kind: 'group',
    min,
    max,
    spotPercent: readSpotPercent(group, max, location),
    zones: readZones(group, context),
    subnetsOf: otherLayers(group, 'subnets', context),
    securityGroupsOf: otherLayers(group, 'security_groups', context),
    cooldownSeconds: group.cooldown ?? groupTimes.cooldownSeconds,
    healthCheckGraceSeconds: group.healthcheck_grace_period ?? groupTimes.healthCheckGraceSeconds,
    scaling: readScaling(group, location),
  };
};

const compileShared = (reference: string, context: LayerContext): Capacity => {
  const path = at(context.path, 'auto_scaling');
  const flags = readReferences(reference, 'auto_scaling', {
    ...context,
    path,
    knownFlags: knownFlags(context),
  });
  const [groupOf = context.layer.flag] = flags;
  const owner = context.layers.find(({ flag }) => flag === groupOf);
  if (flags.length > 1) context.report(path, 'must refer to exactly one layer.');
  else if (flags.length === 1 && typeof owner?.provision?.auto_scaling !== 'object')
    context.report(path, `must refer to a layer with an auto_scaling object; "${groupOf}" has none.`);
  return { kind: 'shared', groupOf };
};

export const compileCapacity = (context: LayerContext): Capacity => {
  const { auto_scaling: group, instance_count: count } = context.layer.provision ?? {};
  if (group !== undefined && count !== undefined)
    context.report(
      at(context.path, 'instance_count'),
      'cannot be combined with auto_scaling; use its min and max.',
    );
  if (group === undefined) return { kind: 'fixed', count: count ?? 1 };
  return typeof group === 'string' ? compileShared(group, context) : compileGroup(group, context);
};
