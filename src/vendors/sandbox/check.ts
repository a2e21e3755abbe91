import { at, type Problem } from '../../basics/problem.ts';
import { contains, overlap, parseBlock } from '../../model/ipv4-block.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';
import { cacheDefaults, looksLikeRegion } from './catalog.ts';
import { homesOf } from './compile/servers.ts';
import { hostCount } from './plan/addresses.ts';

/** Everything in the model that the pretend cloud could never make, at once. */
export const problemsOf = (model: StackModel): Problem[] => [
  ...placeProblems(model),
  ...nameProblems(model),
  ...model.layers.flatMap((layer, index) => [
    ...subnetProblems(model, layer, index),
    ...capacityProblems(model, layer, at('layers', index, 'capacity')),
    ...balancerProblems(model, layer, at('layers', index, 'loadBalancer')),
  ]),
  ...cacheProblems(model),
];

function placeProblems(model: StackModel): Problem[] {
  const problems: Problem[] = [];
  if (!looksLikeRegion(model.region))
    problems.push({ path: 'region', message: `${model.region} is not the name of a region.` });
  if (!parseBlock(model.networkCidr))
    problems.push({
      path: 'networkCidr',
      message: `${model.networkCidr} is not a block of IPv4 addresses, such as 10.0.0.0/16.`,
    });
  return problems;
}

const namedParts = (model: StackModel): [string, readonly string[]][] => [
  ['layers', model.layers.map((layer) => layer.flag)],
  ['databases', model.databases.map((database) => database.name)],
  ['caches', model.caches.map((cache) => cache.name)],
];

function nameProblems(model: StackModel): Problem[] {
  return namedParts(model).flatMap(([part, names]) =>
    names.flatMap((name, index) => {
      const suffix = resourceSuffix(name);
      const first = names.findIndex((other) => resourceSuffix(other) === suffix);
      const path = at(part, index);
      if (suffix === '') return [{ path, message: `The name ${name} holds no letter or digit.` }];
      if (first === index) return [];
      return [{ path, message: `The names ${name} and ${names[first]} make the same resource names.` }];
    }),
  );
}

function subnetProblems(model: StackModel, layer: Layer, index: number): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const { cidr } = layer.subnet;
  const block = parseBlock(cidr);
  if (!block) return problem(`${cidr} is not a block of IPv4 addresses, such as 10.0.0.0/24.`);
  const network = parseBlock(model.networkCidr);
  if (network && !contains(network, block)) return problem(`${cidr} is not inside ${model.networkCidr}.`);
  const other = model.layers.slice(0, index).find((earlier) => {
    const taken = parseBlock(earlier.subnet.cidr);
    return taken && overlap(taken, block);
  });
  return other ? problem(`${cidr} overlaps the subnet of layer ${other.flag} (${other.subnet.cidr}).`) : [];
}

function capacityProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const { capacity } = layer;
  if (capacity.kind === 'shared') return groupProblems(model, at(path, 'groupOf'), capacity.groupOf);
  const problems = roomProblems(model, layer, path);
  if (capacity.kind === 'fixed') return problems;
  if (capacity.min > capacity.max)
    problems.push({
      path,
      message: `The least number of instances, ${capacity.min}, is above the greatest, ${capacity.max}.`,
    });
  return [
    ...problems,
    ...unknownFlags(model, at(path, 'subnetsOf'), capacity.subnetsOf),
    ...unknownFlags(model, at(path, 'securityGroupsOf'), capacity.securityGroupsOf),
  ];
}

function roomProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const { capacity, subnet } = layer;
  const block = parseBlock(subnet.cidr);
  if (!block || capacity.kind === 'shared') return [];
  const room = hostCount(block);
  const most =
    capacity.kind === 'fixed'
      ? capacity.count
      : Math.ceil(capacity.max / homesOf(model, layer, capacity).length);
  if (most <= room) return [];
  return [{ path, message: `${most} servers do not fit in ${subnet.cidr}, which has room for ${room}.` }];
}

function groupProblems(model: StackModel, path: string, flag: string): Problem[] {
  const owner = model.layers.find((layer) => layer.flag === flag);
  if (owner?.capacity.kind === 'group') return [];
  return [{ path, message: `There is no layer ${flag} with an autoscaling group.` }];
}

const unknownFlags = (model: StackModel, path: string, flags: readonly string[]): Problem[] =>
  flags
    .filter((flag) => !model.layers.some((layer) => layer.flag === flag))
    .map((flag) => ({ path, message: `There is no layer ${flag}.` }));

function balancerProblems(model: StackModel, { loadBalancer: balancer }: Layer, path: string): Problem[] {
  if (!balancer) return [];
  return [
    ...unknownFlags(model, at(path, 'subnetsOf'), balancer.subnetsOf),
    ...unknownFlags(model, at(path, 'securityGroupsOf'), balancer.securityGroupsOf),
  ];
}

function cacheProblems(model: StackModel): Problem[] {
  return model.caches.flatMap(({ engine, nodes }, index) => {
    const { most } = cacheDefaults[engine];
    if (nodes <= most) return [];
    return [
      { path: at('caches', index, 'nodes'), message: `${engine} takes up to ${most} nodes, not ${nodes}.` },
    ];
  });
}
