import { at, type Problem } from '../../basics/problem.ts';
import { type Block, contains, overlap, parseBlock } from '../../model/ipv4-block.ts';
import type { Cache, Capacity, StackModel } from '../../model/stack-model.ts';
import type { Group } from './capacity.ts';

/** Checks of the model that several vendors make. Each returns every problem it finds. */

interface NameRule {
  /** The form of a name inside the vendor's own names. */
  normalize: (name: string) => string;
  /** The kind of name made from it, such as `resource`. */
  kind: string;
}

const namedParts = (model: StackModel): { part: string; member: string; names: readonly string[] }[] => [
  { part: 'layers', member: 'flag', names: model.layers.map((layer) => layer.flag) },
  { part: 'databases', member: 'name', names: model.databases.map((database) => database.name) },
  { part: 'caches', member: 'name', names: model.caches.map((cache) => cache.name) },
];

/** Names that are empty once normalized, or equal to another name of the same part. */
export const nameProblems = (model: StackModel, { normalize, kind }: NameRule): Problem[] =>
  namedParts(model).flatMap(({ part, member, names }) =>
    names.flatMap((name, index) => {
      const first = names.findIndex((other) => normalize(other) === normalize(name));
      const path = at(part, index, member);
      if (normalize(name) === '')
        return [{ path, message: `Name ${name} must contain a letter or a digit.` }];
      if (first === index) return [];
      return [{ path, message: `Names ${names[first]} and ${name} produce the same ${kind} names.` }];
    }),
  );

/** The subnet of the layer at `index`: outside the network, or overlapping an earlier subnet. */
export function subnetProblems(model: StackModel, index: number, block: Block): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const cidr = model.layers[index]?.subnet.cidr ?? '';
  const network = parseBlock(model.networkCidr);
  if (network && !contains(network, block)) return problem(`${cidr} is not inside ${model.networkCidr}.`);
  const other = model.layers.slice(0, index).find((earlier) => {
    const taken = parseBlock(earlier.subnet.cidr);
    return taken && overlap(taken, block);
  });
  return other ? problem(`${cidr} overlaps the subnet of layer ${other.flag} (${other.subnet.cidr}).`) : [];
}

/** A layer that shares a group names another layer that has one. */
export function sharedGroupProblems(model: StackModel, path: string, flag: string): Problem[] {
  const owner = model.layers.find((layer) => layer.flag === flag);
  if (owner?.capacity.kind === 'group') return [];
  return [{ path, message: `There is no layer ${flag} with an autoscaling group.` }];
}

export const groupSizeProblems = ({ min, max }: Group, path: string): Problem[] =>
  min <= max
    ? []
    : [{ path: at(path, 'min'), message: `The minimum size, ${min}, is greater than the maximum, ${max}.` }];

const unknownLayerProblems = (model: StackModel, path: string, flags: readonly string[]): Problem[] =>
  flags
    .filter((flag) => !model.layers.some((layer) => layer.flag === flag))
    .map((flag) => ({ path, message: `There is no layer ${flag}.` }));

/** The layers whose subnets and security groups a group or a load balancer names. */
export const layerReferenceProblems = (
  model: StackModel,
  path: string,
  { subnetsOf, securityGroupsOf }: Pick<Group, 'subnetsOf' | 'securityGroupsOf'>,
): Problem[] => [
  ...unknownLayerProblems(model, at(path, 'subnetsOf'), subnetsOf),
  ...unknownLayerProblems(model, at(path, 'securityGroupsOf'), securityGroupsOf),
];

interface Room {
  cidr: string;
  /** The number of servers that fit. */
  room: number;
  /** Which member of the capacity decides. */
  kind: Capacity['kind'];
}

/** `path`: the layer's capacity. */
export const roomProblems = (servers: number, { cidr, room, kind }: Room, path: string): Problem[] =>
  servers <= room
    ? []
    : [
        {
          path: at(path, kind === 'fixed' ? 'count' : 'max'),
          message: `${servers} servers do not fit in ${cidr}, which has room for ${room}.`,
        },
      ];

/** Caches with more nodes than their engine supports. */
export const nodeCountProblems = (
  { caches }: StackModel,
  limits: Readonly<Record<Cache['engine'], { maxNodes: number }>>,
): Problem[] =>
  caches.flatMap(({ engine, nodes }, index) => {
    const { maxNodes } = limits[engine];
    if (nodes <= maxNodes) return [];
    const message = `${engine} supports up to ${maxNodes} nodes, not ${nodes}.`;
    return [{ path: at('caches', index, 'nodes'), message }];
  });
