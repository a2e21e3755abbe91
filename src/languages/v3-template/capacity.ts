import type { Static } from 'typebox';
import { at } from '../../basics/problem.ts';
import type { Capacity } from '../../model/stack-model.ts';
import { computed } from '../placeholders.ts';
import type { Report } from '../report.ts';
import { groupRange, groupTimes } from '../shared-meaning.ts';
import { readReferences } from './references.ts';
import type { TemplateLayer } from './schema.ts';
import type { autoScaling } from './schema-provision.ts';

type AutoScaling = Static<typeof autoScaling>;

/** A layer, where it stands, and the other layers it may refer to. */
export interface LayerContext {
  layer: TemplateLayer;
  /** Path of its `provision`. */
  path: string;
  layers: readonly TemplateLayer[];
  report: Report;
}

export const knownFlags = ({ layers }: LayerContext): readonly string[] => layers.map(({ flag }) => flag);

const readSpotPercent = (group: AutoScaling, max: number, path: string, report: Report): number => {
  const { spot_range: percent, spot_min: fewest, spot_max: most = fewest } = group;
  if (percent !== undefined && most !== undefined)
    report(at(path, 'spot_range'), 'cannot stand beside spot_min and spot_max; keep spot_range.');
  if (percent !== undefined || most === undefined) return percent ?? 0;
  const name = group.spot_max === undefined ? 'spot_min' : 'spot_max';
  if (most > max) report(at(path, name), `must not be more than max, ${max}.`);
  if (fewest !== undefined && fewest > most)
    report(at(path, 'spot_min'), `must not be more than spot_max, ${most}.`);
  return max === 0 ? 0 : Math.floor((most / max) * 100 + 0.5);
};

const readZones = (group: AutoScaling, context: LayerContext): readonly string[] => {
  const path = at(context.path, 'auto_scaling/availability_zones');
  if (group.availability_zones === computed) return [];
  const given = group.availability_zones ?? context.layer.provision?.availability_zone ?? [];
  const zones = (typeof given === 'string' ? given.split(',') : given).map((zone) => zone.trim());
  if (zones.length === 0)
    context.report(path, 'is missing. Name the zones, or give the layer an availability_zone.');
  if (zones.includes('')) context.report(path, 'must be zones separated by commas, none of them empty.');
  if (new Set(zones).size < zones.length) context.report(path, 'must name every zone once.');
  return zones;
};

const others = (group: AutoScaling, member: 'subnets' | 'security_groups', context: LayerContext) => {
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

const compileGroup = (group: AutoScaling, context: LayerContext): Capacity => {
  const path = at(context.path, 'auto_scaling');
  const { min, max } = groupRange(group.min, group.max);
  if (min > max) context.report(at(path, 'min'), `must not be more than max, ${max}.`);
  return {
    kind: 'group',
    min,
    max,
    spotPercent: readSpotPercent(group, max, path, context.report),
    zones: readZones(group, context),
    subnetsOf: others(group, 'subnets', context),
    securityGroupsOf: others(group, 'security_groups', context),
    cooldownSeconds: group.cooldown ?? groupTimes.cooldownSeconds,
    healthCheckGraceSeconds: group.healthcheck_grace_period ?? groupTimes.healthCheckGraceSeconds,
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
  if (flags.length > 1) context.report(path, 'must share the group of one layer.');
  else if (flags.length === 1 && typeof owner?.provision?.auto_scaling !== 'object')
    context.report(path, `must refer to a layer that has an auto_scaling object; "${groupOf}" has none.`);
  return { kind: 'shared', groupOf };
};

export const compileCapacity = (context: LayerContext): Capacity => {
  const { auto_scaling: group, instance_count: count } = context.layer.provision ?? {};
  if (group !== undefined && count !== undefined)
    context.report(
      at(context.path, 'instance_count'),
      'cannot stand beside auto_scaling; use its min and max.',
    );
  if (group === undefined) return { kind: 'fixed', count: count ?? 1 };
  return typeof group === 'string' ? compileShared(group, context) : compileGroup(group, context);
};
