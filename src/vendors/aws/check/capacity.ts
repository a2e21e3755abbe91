import { at, type Problem } from '../../../basics/problem.ts';
import { parseBlock, sizeOf } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { Checked } from '../compile/context.ts';
import { type Group, homesOf, maxServers, zoneOf } from '../layout/placement.ts';
import { belongsTo } from '../layout/zone.ts';

/** AWS keeps the first four addresses of a subnet and the last. */
const keptAddresses = 5;

/** What is wrong with how many servers a layer has, and where. */
export function capacityProblems(checked: Checked, layer: Layer, path: string): Problem[] {
  const { model } = checked;
  const { capacity } = layer;
  if (capacity.kind === 'shared') return ownerProblems(model, at(path, 'groupOf'), capacity.groupOf);
  return [
    ...roomProblems(model, layer, path),
    ...(capacity.kind === 'group' ? groupProblems(checked, layer, capacity, path) : []),
  ];
}

function ownerProblems(model: StackModel, path: string, flag: string): Problem[] {
  const owner = model.layers.find((layer) => layer.flag === flag);
  if (owner?.capacity.kind === 'group') return [];
  return [{ path, message: `There is no layer ${flag} with an autoscaling group.` }];
}

/** Servers of a group are spread over its subnets. */
function roomProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const { cidr } = layer.subnet;
  const block = parseBlock(cidr);
  if (!block) return [];
  const room = Math.max(0, sizeOf(block.prefix) - keptAddresses);
  const most = Math.ceil(maxServers(layer) / homesOf(model, layer).length);
  if (most <= room) return [];
  return [{ path, message: `${most} servers do not fit in ${cidr}, which has room for ${room}.` }];
}

function groupProblems({ model, choices }: Checked, layer: Layer, capacity: Group, path: string): Problem[] {
  const problems: Problem[] = [];
  const { min, max } = capacity;
  if (min > max)
    problems.push({
      path,
      message: `The least number of instances, ${min}, is above the greatest, ${max}.`,
    });
  const covered = homesOf(model, layer).map((home) => zoneOf(home, choices));
  const zoneProblems = capacity.zones.flatMap((zone, index) =>
    zoneTrouble(zone, model.region, covered).map((message) => ({ path: at(path, 'zones', index), message })),
  );
  return [
    ...problems,
    ...zoneProblems,
    ...unknownFlags(model, at(path, 'subnetsOf'), capacity.subnetsOf),
    ...unknownFlags(model, at(path, 'securityGroupsOf'), capacity.securityGroupsOf),
  ];
}

/** A group is where its subnets are. */
function zoneTrouble(zone: string, region: string, covered: readonly string[]): string[] {
  if (!belongsTo(zone, region)) return [`${zone} is not a zone of ${region}.`];
  if (covered.includes(zone)) return [];
  return [
    `The group has no subnet in ${zone}. Let it span the subnet of a layer there, or leave the zone out.`,
  ];
}

export const unknownFlags = (model: StackModel, path: string, flags: readonly string[]): Problem[] =>
  flags
    .filter((flag) => !model.layers.some((layer) => layer.flag === flag))
    .map((flag) => ({ path, message: `There is no layer ${flag}.` }));
