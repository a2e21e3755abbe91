import { at, type Problem } from '../../../basics/problem.ts';
import { cidrProblem, parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer } from '../../../model/stack-model.ts';
import { subnetProblems as sharedSubnetProblems } from '../../shared/checks.ts';
import type { Context } from '../compile/context.ts';
import { containerProblems } from './containers.ts';

/** Problems of a layer itself: its zone, subnet, volume and container. */
export function layerProblems(context: Context, layer: Layer, index: number): Problem[] {
  const path = at('layers', index);
  return [
    ...zoneProblems(context, layer, path),
    ...subnetProblems(context, layer, index),
    ...volumeProblems(context, layer, at(path, 'volume/sizeGib')),
    ...containerProblems(context, layer, path),
  ];
}

/** Where networks have zones, a stack has one network and so one zone. */
const zoneProblems = ({ dialect, choices }: Context, { zone }: Layer, path: string): Problem[] =>
  !dialect.zonedNetworks || zone === null || zone === choices.zone
    ? []
    : [
        {
          path: at(path, 'zone'),
          message: `On ${dialect.label}, all layers of a stack are in one zone, here ${choices.zone}. Use it here too, or make a second stack.`,
        },
      ];

export const isUsablePrefix = (prefix: number): boolean => prefix >= 8 && prefix <= 29;

export const invalidPrefix = (cidr: string): string =>
  `${cidr} has an unsupported size. The prefix must be between /8 and /29.`;

function subnetProblems({ model }: Context, { subnet: { cidr } }: Layer, index: number): Problem[] {
  const problem = (message: string): Problem[] => [{ path: at('layers', index, 'subnet/cidr'), message }];
  const cidrError = cidrProblem(cidr);
  const block = parseBlock(cidr);
  if (cidrError || !block) return problem(`${cidr} ${cidrError}`);
  if (!isUsablePrefix(block.prefix)) return problem(invalidPrefix(cidr));
  return sharedSubnetProblems(model, index, block);
}

/** Heat cannot change a volume from which a server boots. Almanac enlarges those of servers outside groups: see `act/data/grow-volumes.ts`. */
function volumeProblems({ choices, dialect }: Context, { flag, capacity }: Layer, path: string): Problem[] {
  const { volume } = choices.servers[flag] ?? {};
  const existing = choices.volumeGib[flag] ?? 0;
  if (!volume || existing === 0 || volume.sizeGib === existing) return [];
  const mayGrow = capacity.kind === 'fixed' && dialect.capabilities.growsVolumes;
  if (mayGrow && volume.sizeGib > existing) return [];
  const message = mayGrow
    ? `${dialect.label} cannot shrink a volume: this one has ${existing} GiB. Ask for no less, or use a layer with another name.`
    : `${dialect.label} cannot change the size of a volume from which servers ${capacity.kind === 'group' ? 'of a group ' : ''}boot: this one has ${existing} GiB. Keep the size, or use a layer with another name.`;
  return [{ path, message }];
}
