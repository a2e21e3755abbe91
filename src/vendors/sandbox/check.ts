import { at, type Problem } from '../../basics/problem.ts';
import { parseBlock } from '../../model/ipv4-block.ts';
import { resourceSuffix } from '../../model/names.ts';
import type { Layer, StackModel } from '../../model/stack-model.ts';
import { hostLayers } from '../shared/capacity.ts';
import {
  groupSizeProblems,
  layerReferenceProblems,
  nameProblems,
  nodeCountProblems,
  roomProblems,
  sharedGroupProblems,
  subnetProblems,
} from '../shared/checks.ts';
import { portProblems } from '../shared/port-checks.ts';
import { cacheDefaults, looksLikeRegion } from './catalog.ts';
import { hostCount } from './plan/addresses.ts';

/** Everything in the model that the sandbox cannot provide. */
export const problemsOf = (model: StackModel): Problem[] => [
  ...placeProblems(model),
  ...nameProblems(model, { normalize: resourceSuffix, kind: 'resource' }),
  ...model.layers.flatMap((layer, index) => [
    ...cidrProblems(model, layer, index),
    ...capacityProblems(model, layer, at('layers', index, 'capacity')),
    ...balancerProblems(model, layer, at('layers', index, 'loadBalancer')),
  ]),
  ...portProblems(model),
  ...nodeCountProblems(model, cacheDefaults),
];

function placeProblems({ region, networkCidr }: StackModel): Problem[] {
  const problems: Problem[] = [];
  if (!looksLikeRegion(region))
    problems.push({ path: 'region', message: `${region} is not a valid region name.` });
  if (!parseBlock(networkCidr))
    problems.push({
      path: 'networkCidr',
      message: `${networkCidr} is not a valid IPv4 CIDR block. Example: 10.0.0.0/16.`,
    });
  return problems;
}

function cidrProblems(model: StackModel, { subnet: { cidr } }: Layer, index: number): Problem[] {
  const block = parseBlock(cidr);
  if (block) return subnetProblems(model, index, block);
  const message = `${cidr} is not a valid IPv4 CIDR block. Example: 10.0.0.0/24.`;
  return [{ path: at('layers', index, 'subnet/cidr'), message }];
}

function capacityProblems(model: StackModel, layer: Layer, path: string): Problem[] {
  const { capacity, subnet } = layer;
  if (capacity.kind === 'shared') return sharedGroupProblems(model, at(path, 'groupOf'), capacity.groupOf);
  const block = parseBlock(subnet.cidr);
  const servers =
    capacity.kind === 'fixed' ? capacity.count : Math.ceil(capacity.max / hostLayers(model, layer).length);
  const problems = block
    ? roomProblems(servers, { cidr: subnet.cidr, room: hostCount(block), kind: capacity.kind }, path)
    : [];
  if (capacity.kind === 'fixed') return problems;
  return [
    ...problems,
    ...groupSizeProblems(capacity, path),
    ...layerReferenceProblems(model, path, capacity),
  ];
}

const balancerProblems = (model: StackModel, { loadBalancer }: Layer, path: string): Problem[] =>
  loadBalancer ? layerReferenceProblems(model, path, loadBalancer) : [];
