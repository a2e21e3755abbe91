import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem, contains, overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { catalog, smallestVolumeGib, volumeTypes } from '../catalog.ts';
import type { Checked } from '../compile/context.ts';
import { hasServers } from '../layout/placement.ts';
import { belongsTo, looksLikeType } from '../layout/zone.ts';
import { containerProblems } from './containers.ts';

/** What is wrong with a layer itself: where it stands and what its servers are. */
export function layerProblems(checked: Checked, layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  return [
    ...flagProblems(layer, path),
    ...zoneProblems(checked, layer, path),
    ...subnetProblems(checked, layer, index),
    ...serverProblems(checked, layer, path),
    ...volumeProblems(layer, at(path, 'volume')),
    ...containerProblems(checked, layer, path),
  ];
}

/** Names of key pairs and what shell scripts are given. */
const flagProblems = ({ flag }: Layer, path: string): Problem[] =>
  /^[!-~]([ -~]*[!-~])?$/.test(flag)
    ? []
    : [
        {
          path: at(path, 'flag'),
          message: 'AWS takes names of plain letters, digits and signs (ASCII) only.',
        },
      ];

const zoneProblems = ({ model }: Checked, { zone }: Layer, path: string): Problem[] =>
  zone === null || belongsTo(zone, model.region)
    ? []
    : [{ path: at(path, 'zone'), message: `${zone} is not a zone of ${model.region}.` }];

function subnetProblems({ model }: Checked, layer: Layer, index: number): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const { cidr } = layer.subnet;
  const trouble = cidrProblem(cidr);
  const block = parseBlock(cidr);
  if (trouble || !block) return problem(`${cidr} ${trouble}`);
  if (block.prefix < 16 || block.prefix > 28)
    return problem(`${cidr} is not of a size AWS makes, which is /16 to /28.`);
  const network = parseBlock(model.networkCidr);
  if (network && !contains(network, block)) return problem(`${cidr} is not inside ${model.networkCidr}.`);
  const other = model.layers.slice(0, index).find((earlier) => {
    const taken = parseBlock(earlier.subnet.cidr);
    return taken && overlap(taken, block);
  });
  return other ? problem(`${cidr} overlaps the subnet of layer ${other.flag} (${other.subnet.cidr}).`) : [];
}

function serverProblems({ choices }: Checked, layer: Layer, path: string): Problem[] {
  const { instanceType, machineImage } = layer;
  const problems: Problem[] = [];
  if (instanceType !== null && !looksLikeType(instanceType))
    problems.push({
      path: at(path, 'instanceType'),
      message: `${instanceType} is not the name of an instance type, such as ${catalog.defaultInstanceType}.`,
    });
  const image = machineImage ?? choices.images[layer.flag]?.id;
  if (!image && hasServers(layer))
    problems.push({
      path: at(path, 'machineImage'),
      message: 'No machine image was found for it. Name one.',
    });
  if (machineImage !== null && !/^ami-[0-9a-f]{8,32}$/.test(machineImage))
    problems.push({
      path: at(path, 'machineImage'),
      message: `${machineImage} is not the id of a machine image, such as ami-0123456789abcdef0.`,
    });
  return problems;
}

function volumeProblems({ volume, machineImage }: Layer, path: string): Problem[] {
  const type = volume.type ?? catalog.defaultVolumeType;
  const size = volume.sizeGib ?? catalog.defaultVolumeGib;
  const known = volumeTypes[type];
  const names = Object.keys(volumeTypes).join(', ');
  if (!known)
    return [{ path: at(path, 'type'), message: `No server boots from ${type}. It can from ${names}.` }];
  const least = Math.max(known.least, machineImage === null ? smallestVolumeGib : 1);
  if (size >= least && size <= known.most) return [];
  return [
    {
      path: at(path, 'sizeGib'),
      message: `A disk of kind ${type} to boot from has ${least} to ${known.most} GiB, not ${size}.`,
    },
  ];
}
