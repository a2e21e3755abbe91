import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { subnetProblems as sharedSubnetProblems } from '../../shared/checks.ts';
import { hasServers } from '../../shared/layers.ts';
import { balancerAddresses, volumeGib, volumeTypes } from '../catalog.ts';
import type { Context } from '../compile/context.ts';
import { diskGib } from '../compile/servers.ts';
import { foreignTypeMessage } from '../layout/instance-types.ts';
import { containerProblems } from './containers.ts';

/** Problems of a layer itself: its type, subnet, disk and container. */
export function layerProblems(context: Context, layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  return [
    ...typeProblems(layer, at(path, 'instanceType')),
    ...subnetProblems(context, layer, index),
    ...(hasServers(layer) ? volumeProblems(context, layer, at(path, 'volume')) : []),
    ...containerProblems(context, layer, path),
  ];
}

const typeProblems = ({ instanceType }: Layer, path: string): Problem[] => {
  const message = instanceType === null ? undefined : foreignTypeMessage(instanceType);
  return message === undefined ? [] : [{ path, message }];
};

/** Load balancers reach servers from these addresses, so that no network may contain them. */
const reserved = parseBlock(balancerAddresses);

export function networkProblems(cidr: string): Problem[] {
  const problem = (message: string): Problem[] => [{ path: 'networkCidr', message }];
  const cidrError = cidrProblem(cidr);
  const block = parseBlock(cidr);
  if (cidrError || !block) return problem(`${cidr} ${cidrError}`);
  if (block.prefix < 8 || block.prefix > 28)
    return problem(`${cidr} has an unsupported size. The prefix of a network must be between /8 and /28.`);
  return reserved && overlap(reserved, block)
    ? problem(`${cidr} overlaps ${balancerAddresses}, which Alibaba Cloud uses itself. Use another block.`)
    : [];
}

function subnetProblems({ model }: Context, { subnet: { cidr } }: Layer, index: number): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const cidrError = cidrProblem(cidr);
  const block = parseBlock(cidr);
  if (cidrError || !block) return problem(`${cidr} ${cidrError}`);
  if (block.prefix < 16 || block.prefix > 29)
    return problem(`${cidr} has an unsupported size. The prefix of a subnet must be between /16 and /29.`);
  return sharedSubnetProblems(model, index, block);
}

function volumeProblems({ choices }: Context, layer: Layer, path: string): Problem[] {
  const { type, sizeGib } = layer.volume;
  const existing = choices.volumeGib[layer.flag] ?? 0;
  const problems: Problem[] = [];
  if (type !== null && !volumeTypes.some((known) => known === type))
    problems.push({
      path: at(path, 'type'),
      message: `${type} is not a disk category of Alibaba Cloud. Use cloud_essd, or one of ${volumeTypes.slice(1).join(', ')}.`,
    });
  if ((sizeGib ?? 0) > volumeGib.max)
    problems.push({
      path: at(path, 'sizeGib'),
      message: `Boot disks of Alibaba Cloud have at most ${volumeGib.max} GiB, not ${sizeGib}. Store files in a database or an object store.`,
    });
  if (layer.capacity.kind === 'fixed' && diskGib(layer) < existing)
    problems.push({
      path: at(path, 'sizeGib'),
      message: `Alibaba Cloud cannot shrink a disk: those of this layer have ${existing} GiB. Keep the size, or use a layer with another name.`,
    });
  return problems;
}
