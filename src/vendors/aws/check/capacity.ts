import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { CheckContext } from '../compile/context.ts';
import { type Group, hostLayers, maxServers, zoneOf } from '../layout/placement.ts';
import { belongsTo } from '../layout/zone.ts';

/** AWS reserves the first four addresses of a subnet and the last one. */
const reservedAddresses = 5;

/** Problems of a layer's capacity: size, zones and references. */
export function capacityProblems(checked: CheckContext, layer: Layer, path: string): Problem[] {
  const { model } = checked;
  const { capacity } = layer;
  if (capacity.kind === 'shared') return ownerProblems(model, at(path, 'groupOf'), capacity.groupOf);
  return [
    ...roomProblems(model, layer, path),
    ...(capacity.kind === 'group' ? groupProblems({ checked, layer, group: capacity, path }) : []),
  ];
}

function ownerProblems(model: StackModel, path: string, flag: string): Problem[] {
  const owner = model.layers.find((layer) => layer.flag === flag);
  if (owner?.capacity.kind === 'group') return [];
  return [{ path, message: `There is no layer ${flag} with an autoscaling group.` }];
}

/** The servers of a group are spread over its subnets. */
function roomProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const { cidr } = layer.subnet;
  const block = parseBlock(cidr);
  if (!block) return [];
  const room = Math.max(0, sizeOf(block.prefix) - reservedAddresses);
  const servers = Math.ceil(maxServers(layer) / hostLayers(model, layer).length);
  if (servers <= room) return [];
  return [{ path, message: `${servers} servers do not fit in ${cidr}, which has room for ${room}.` }];
}

interface CheckedGroup {
  checked: CheckContext;
  layer: Layer;
  group: Group;
  path: string;
}

function groupProblems({ checked: { model, choices }, layer, group, path }: CheckedGroup): Problem[] {
  const problems: Problem[] = [];
  const { min, max } = group;
  if (min > max)
    problems.push({ path, message: `The minimum size, ${min}, is greater than the maximum, ${max}.` });
  const covered = hostLayers(model, layer).map((host) => zoneOf(host, choices));
  const zoneProblems = group.zones.flatMap((zone, index) =>
    zoneMessages(zone, model.region, covered).map((message) => ({ path: at(path, 'zones', index), message })),
  );
  return [
    ...problems,
    ...zoneProblems,
    ...unknownFlags(model, at(path, 'subnetsOf'), group.subnetsOf),
    ...unknownFlags(model, at(path, 'securityGroupsOf'), group.securityGroupsOf),
  ];
}

/** A group runs in the zones of its subnets. */
function zoneMessages(zone: string, region: string, covered: readonly string[]): string[] {
  if (!belongsTo(zone, region)) return [`${zone} is not a zone of ${region}.`];
  if (covered.includes(zone)) return [];
  return [
    `The group has no subnet in ${zone}. Add a layer in that zone to the group's subnets, or remove the zone.`,
  ];
}

export const unknownFlags = (model: StackModel, path: string, flags: readonly string[]): Problem[] =>
  flags
    .filter((flag) => !model.layers.some((layer) => layer.flag === flag))
    .map((flag) => ({ path, message: `There is no layer ${flag}.` }));
