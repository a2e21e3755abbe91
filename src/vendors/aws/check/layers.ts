import { entryOf } from '../../../basics/entry-of.ts';
import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem, parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { subnetProblems as sharedSubnetProblems } from '../../shared/checks.ts';
import { hasServers } from '../../shared/layers.ts';
import { minVolumeGib, volumeTypes } from '../catalog.ts';
import type { Choices } from '../choices.ts';
import type { CheckContext } from '../compile/context.ts';

import { instanceNames, wantedDisk } from '../layout/disks.ts';
import { matchingType } from '../layout/matching-type.ts';
import { belongsTo, looksLikeType } from '../layout/zone.ts';
import { containerProblems } from './containers.ts';

/** Problems of a layer itself: its zone, subnet, servers, volume and container. */
export function layerProblems(checked: CheckContext, layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  return [
    ...flagProblems(layer, path),
    ...zoneProblems(checked, layer, path),
    ...subnetProblems(checked, layer, index),
    ...serverProblems(checked, layer, path),
    ...volumeProblems(checked, layer, at(path, 'volume')),
    ...containerProblems(checked, layer, path),
  ];
}

/** The flag is used in key pair names and in shell scripts. */
const flagProblems = ({ flag }: Layer, path: string): Problem[] =>
  /^[!-~]([ -~]*[!-~])?$/.test(flag)
    ? []
    : [
        {
          path: at(path, 'flag'),
          message: 'On AWS, names must contain printable ASCII characters only.',
        },
      ];

const zoneProblems = ({ model }: CheckContext, { zone }: Layer, path: string): Problem[] =>
  zone === null || belongsTo(zone, model.region)
    ? []
    : [{ path: at(path, 'zone'), message: `${zone} is not a zone of ${model.region}.` }];

export const invalidPrefix = (cidr: string): string =>
  `${cidr} has an unsupported size. On AWS, the prefix must be between /16 and /28.`;

function subnetProblems({ model }: CheckContext, layer: Layer, index: number): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const { cidr } = layer.subnet;
  const cidrError = cidrProblem(cidr);
  const block = parseBlock(cidr);
  if (cidrError || !block) return problem(`${cidr} ${cidrError}`);
  if (block.prefix < 16 || block.prefix > 28) return problem(invalidPrefix(cidr));
  return sharedSubnetProblems(model, index, block);
}

function serverProblems({ choices }: CheckContext, layer: Layer, path: string): Problem[] {
  const { instanceType, machineImage } = layer;
  const problems: Problem[] = [];
  if (instanceType !== null && !looksLikeType(instanceType))
    problems.push({
      path: at(path, 'instanceType'),
      message: `Invalid instance type ${instanceType}. Use a name such as ${matchingType(instanceType)}.`,
    });
  const image = machineImage ?? choices.images[layer.flag]?.id;
  if (!image && hasServers(layer))
    problems.push({
      path: at(path, 'machineImage'),
      message: 'No machine image found for the layer. Specify one.',
    });
  if (machineImage !== null && !/^ami-[0-9a-f]{8,32}$/.test(machineImage))
    problems.push({
      path: at(path, 'machineImage'),
      message: `Invalid machine image ${machineImage}. Use an id such as ami-0123456789abcdef0.`,
    });
  return problems;
}

function volumeProblems({ choices }: CheckContext, layer: Layer, path: string): Problem[] {
  const { type, sizeGib: size } = wantedDisk(layer);
  const known = entryOf(volumeTypes, type);
  const names = Object.keys(volumeTypes).join(', ');
  if (!known) {
    const message = `Volume type ${type} cannot be a boot volume. Use one of ${names}.`;
    return [{ path: at(path, 'type'), message }];
  }
  const sizePath = at(path, 'sizeGib');
  const minGib = Math.max(known.minGib, layer.machineImage === null ? minVolumeGib : 1);
  if (size < minGib || size > known.maxGib) {
    const message = `A ${type} boot volume must be between ${minGib} and ${known.maxGib} GiB, not ${size}.`;
    return [{ path: sizePath, message }];
  }
  return shrinkProblems(layer, choices.disks, sizePath);
}

/** Disks of the same type are grown in place. Another type makes new servers with new disks. */
function shrinkProblems(layer: Layer, disks: Choices['disks'], path: string): Problem[] {
  const { type, sizeGib } = wantedDisk(layer);
  const sizes = instanceNames(layer).map((server) => disks[server]);
  const currentGib = Math.max(0, ...sizes.map((disk) => (disk?.type === type ? disk.sizeGib : 0)));
  if (sizeGib >= currentGib) return [];
  return [{ path, message: `AWS cannot shrink a disk: the servers already have ${currentGib} GiB.` }];
}
