import { at, type Problem } from '../../../basics/problem.ts';
import { overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { StackModel } from '../../../model/stack-model.ts';
import type { SpreadSubnet } from '../choices.ts';
import type { AwsDocument, Json } from '../document.ts';
import { layerSubnets, type Placement } from '../layout/placement.ts';
import { network } from '../names.ts';

interface ExistingSubnet {
  cidr: string;
  zone: string;
}
/** By logical id. */
export type ExistingSubnets = Readonly<Record<string, ExistingSubnet>>;

/** The subnets of the previous version. A network with another CIDR block is a new network without subnets. */
export function existingSubnets({ networkCidr }: StackModel, before: AwsDocument | null): ExistingSubnets {
  const resources = before?.template.Resources ?? {};
  const isSameNetwork = resources[network]?.Properties?.['CidrBlock'] === networkCidr;
  if (!isSameNetwork) return {};
  const subnets = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::EC2::Subnet');
  return Object.fromEntries(
    subnets.map(([id, { Properties: { CidrBlock, AvailabilityZone } = {} }]) => [
      id,
      { cidr: textOf(CidrBlock), zone: textOf(AvailabilityZone) },
    ]),
  );
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/**
 * Subnets that would have to move. CloudFormation creates the new subnet before it deletes the old one, so AWS rejects a
 * CIDR block that is still in use, in the middle of the update.
 */
export const moveProblems = (
  { layers }: StackModel,
  placement: Placement,
  existing: ExistingSubnets,
): Problem[] =>
  layers.flatMap((layer, index) =>
    layerSubnets(layer, placement).flatMap((subnet) =>
      zoneProblems(subnet, existing, at('layers', index, 'zone')).concat(
        blockProblems(subnet, existing, at('layers', index, 'subnet/cidr')),
      ),
    ),
  );

function zoneProblems({ id, zone, cidr }: SpreadSubnet, existing: ExistingSubnets, path: string): Problem[] {
  const own = existing[id];
  if (!own || own.cidr !== cidr || zone === own.zone) return [];
  const message =
    `Subnet ${cidr} of the layer is in zone ${own.zone}, and AWS cannot move a subnet. ` +
    'Choose another cidr for the other zone, or remove the layer first.';
  return [{ path, message }];
}

function blockProblems({ id, cidr }: SpreadSubnet, existing: ExistingSubnets, path: string): Problem[] {
  const own = existing[id];
  const block = parseBlock(cidr);
  if (!block || own?.cidr === cidr) return [];
  return Object.entries(existing).flatMap(([other, { cidr: text }]) => {
    const taken = parseBlock(text);
    if (!taken || !overlap(block, taken)) return [];
    const owner = other === id ? "the layer's current subnet" : `subnet ${other} of the stack`;
    const message =
      `${cidr} overlaps ${text}, which is used by ${owner}, and AWS cannot move a subnet. ` +
      (own
        ? `The layer currently uses ${own.cidr}: keep that cidr, or choose another.`
        : 'Choose another cidr, or first remove the layer that uses it.');
    return [{ path, message }];
  });
}
