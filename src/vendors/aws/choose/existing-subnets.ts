import { at, type Problem } from '../../../basics/problem.ts';
import { overlap, parseBlock } from '../../../model/ipv4-block.ts';
import type { Layer, StackModel } from '../../../model/stack-model.ts';
import type { AwsDocument, Json } from '../document.ts';
import { network, subnet } from '../names.ts';

/** A subnet as it stands. */
interface Standing {
  cidr: string;
  zone: string;
}
/** By logical id. */
export type StandingSubnets = Readonly<Record<string, Standing>>;

/** The subnets the version before has. A network of other addresses is a new one, in which nothing stands yet. */
export function standingSubnets({ networkCidr }: StackModel, before: AwsDocument | null): StandingSubnets {
  const resources = before?.template.Resources ?? {};
  const stays = resources[network]?.Properties?.['CidrBlock'] === networkCidr;
  const subnets = Object.entries(resources).filter(([, { Type }]) => stays && Type === 'AWS::EC2::Subnet');
  return Object.fromEntries(
    subnets.map(([id, { Properties: { CidrBlock, AvailabilityZone } = {} }]) => [
      id,
      { cidr: textOf(CidrBlock), zone: textOf(AvailabilityZone) },
    ]),
  );
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/**
 * What would have to be moved. CloudFormation makes the new subnet before it takes the old one away, so AWS refuses a
 * block of addresses that is still in use, with the update half done.
 */
export const moveProblems = ({ layers }: StackModel, standing: StandingSubnets): Problem[] =>
  layers.flatMap((layer, index) => {
    const path = at('layers', index);
    return [...zoneProblems(layer, standing, path), ...blockProblems(layer, standing, path)];
  });

function zoneProblems({ flag, zone, subnet: { cidr } }: Layer, standing: StandingSubnets, path: string) {
  const own = standing[subnet(flag)];
  if (!own || own.cidr !== cidr || zone === null || zone === own.zone) return [];
  const message =
    `Subnet ${cidr} of the layer stands in zone ${own.zone}, and AWS cannot move a subnet. ` +
    'Choose another cidr for the other zone, or remove the layer first.';
  return [{ path: at(path, 'zone'), message }];
}

function blockProblems({ flag, subnet: { cidr } }: Layer, standing: StandingSubnets, path: string) {
  const own = standing[subnet(flag)];
  const block = parseBlock(cidr);
  if (!block || own?.cidr === cidr) return [];
  return Object.entries(standing).flatMap(([id, other]) => {
    const taken = parseBlock(other.cidr);
    if (!taken || !overlap(block, taken)) return [];
    const whose = id === subnet(flag) ? "the layer's own subnet" : `subnet ${id} of the stack`;
    const message =
      `${cidr} overlaps ${other.cidr}, where ${whose} stands, and AWS cannot move a subnet. ` +
      (own
        ? `The layer stands on ${own.cidr}: write that as its cidr, or choose another.`
        : 'Choose another cidr, or first remove the layer that stands there.');
    return [{ path: at(path, 'subnet/cidr'), message }];
  });
}
