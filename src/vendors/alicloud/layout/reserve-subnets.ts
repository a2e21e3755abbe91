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

type Blocks = Readonly<Record<string, string>>;

/**
 * The VSwitches of a stack in addition to those of its layers. Those of databases and caches stay, even empty: a VSwitch may count as in use
 * for a while after its last database is deleted, and ROS would undo the whole update and make an empty database.
 */
export const ownSubnets = (model: StackModel, before: Blocks): string[] => [
  ...(hasDataSubnet(model) || names.dataSubnet(1) in before ? [names.dataSubnet(1)] : []),
  ...(hasStandby(model) || names.dataSubnet(2) in before ? [names.dataSubnet(2)] : []),
  ...(model.layers.some((layer) => needsNat(model, layer)) ? [names.natSubnet] : []),
];

/** A /24 in a network of the usual size, /16. The smallest of Alibaba Cloud is /29. */
const prefixIn = (networkPrefix: number): number => Math.min(28, networkPrefix + 8);

/** Blocks for the VSwitches outside layers. */
export function reserveSubnets(model: StackModel, before: Blocks): Outcome<Record<string, string>> {
  const network = parseBlock(model.networkCidr);
  if (!network) return succeed({});
  const prefixOf = (): number => prefixIn(network.prefix);
  return reserveBlocks({ model, network, needed: ownSubnets(model, before), purposes, prefixOf, before });
}
