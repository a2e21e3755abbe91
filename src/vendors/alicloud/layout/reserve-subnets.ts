import { type Outcome, succeed } from '../../../basics/problem.ts';
import { parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import { reserveBlocks } from '../../shared/free-block.ts';
import * as names from '../names.ts';
import { hasDataSubnet, hasStandby, needsNat } from './placement.ts';

/** VSwitches outside layers, and their purpose. */
const purposes: Readonly<Record<string, string>> = {
  [names.dataSubnet(1)]: 'databases and caches',
  [names.dataSubnet(2)]: 'standbys of databases',
  [names.natSubnet]: 'the NAT gateway of the private subnets',
};

/** The VSwitches a model needs in addition to those of its layers. */
export const ownSubnets = (model: StackModel): string[] => [
  ...(hasDataSubnet(model) ? [names.dataSubnet(1)] : []),
  ...(hasStandby(model) ? [names.dataSubnet(2)] : []),
  ...(model.layers.some((layer) => needsNat(model, layer)) ? [names.natSubnet] : []),
];

/** A /24 in a network of the usual size, /16. The smallest of Alibaba Cloud is /29. */
const prefixIn = (networkPrefix: number): number => Math.min(28, networkPrefix + 8);

/** Blocks for the VSwitches outside layers. */
export function reserveSubnets(
  model: StackModel,
  before: Readonly<Record<string, string>>,
): Outcome<Record<string, string>> {
  const network = parseBlock(model.networkCidr);
  if (!network) return succeed({});
  const prefixOf = (): number => prefixIn(network.prefix);
  return reserveBlocks({ model, network, needed: ownSubnets(model), purposes, prefixOf, before });
}
