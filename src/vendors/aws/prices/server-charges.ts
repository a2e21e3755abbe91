import { type Charge, hoursPerMonth } from '../../../model/cost.ts';
import type { Template } from '../document.ts';
import { items } from './items.ts';
import { listOf, membersOf, numberOf, propertiesOf, resourceAt, textOf } from './template-values.ts';

/** A number of servers, with every group at its minimum and at its maximum size. */
interface Count {
  atMinimum: number;
  atMaximum: number;
}

const one: Count = { atMinimum: 1, atMaximum: 1 };

/** `units`: of each server per month. */
const each = (item: string, { atMinimum, atMaximum }: Count, units: number = hoursPerMonth): Charge => ({
  item,
  atMinimum: atMinimum * units,
  atMaximum: atMaximum * units,
});

/** The first tier of io2; the price list has other prices beyond it. */
const firstIops = 32_000;

function iopsCharges(type: string, iops: number, count: Count): Charge[] {
  const first = type === 'io2' ? Math.min(iops, firstIops) : iops;
  return [
    each(items.volumeIops(type), count, first),
    each(items.volumeIops(`${type} beyond ${firstIops}`), count, iops - first),
  ];
}

function volumeCharges(launch: Readonly<Record<string, unknown>>, count: Count): Charge[] {
  return listOf(launch['BlockDeviceMappings']).flatMap((mapping) => {
    const disk = membersOf(membersOf(mapping)['Ebs']);
    return diskCharges({ ...disk, Size: disk['VolumeSize'] }, count);
  });
}

/** A volume, or the disk of a server. */
export function diskCharges(disk: Readonly<Record<string, unknown>>, count: Count = one): Charge[] {
  const type = textOf(disk['VolumeType']);
  const size = each(items.volume(type), count, numberOf(disk['Size']));
  return [size, iopsCharges(type, numberOf(disk['Iops']), count)].flat();
}

/** AWS charges for every public address. With subnets of both kinds, only the limits of their number are known. */
function addressCharges(template: Template, subnets: readonly unknown[], count: Count): Charge[] {
  const kinds = new Set(
    subnets.map((subnet) => propertiesOf(resourceAt(template, subnet))['MapPublicIpOnLaunch'] === true),
  );
  if (!kinds.has(true)) return [];
  const atMinimum = kinds.has(false) ? 0 : count.atMinimum;
  return [each(items.publicAddress, { ...count, atMinimum })];
}

/** A single server. */
export function instanceCharges(template: Template, server: Readonly<Record<string, unknown>>): Charge[] {
  return [
    each(items.server(textOf(server['InstanceType'])), one),
    ...volumeCharges(server, one),
    ...addressCharges(template, [server['SubnetId']], one),
  ];
}

/** The servers of a group at on-demand prices; AWS rounds in their favour. The others are spot instances. */
function onDemandOf(size: number, distribution: Readonly<Record<string, unknown>>): number {
  const base = Math.min(size, numberOf(distribution['OnDemandBaseCapacity']));
  const percent = numberOf(distribution['OnDemandPercentageAboveBaseCapacity'] ?? 100);
  return base + Math.ceil(((size - base) * percent) / 100);
}

/** The servers of an Auto Scaling group. The price of spot instances changes all the time and is in no price list. */
export function groupCharges(template: Template, group: Readonly<Record<string, unknown>>): Charge[] {
  const count = { atMinimum: numberOf(group['MinSize']), atMaximum: numberOf(group['MaxSize']) };
  const mix = membersOf(group['MixedInstancesPolicy']);
  const distribution = membersOf(mix['InstancesDistribution']);
  const named = membersOf(membersOf(mix['LaunchTemplate'])['LaunchTemplateSpecification']);
  const id = named['LaunchTemplateId'] ?? membersOf(group['LaunchTemplate'])['LaunchTemplateId'];
  const launch = membersOf(propertiesOf(resourceAt(template, id))['LaunchTemplateData']);
  const onDemand = {
    atMinimum: onDemandOf(count.atMinimum, distribution),
    atMaximum: onDemandOf(count.atMaximum, distribution),
  };
  const spot = {
    atMinimum: count.atMinimum - onDemand.atMinimum,
    atMaximum: count.atMaximum - onDemand.atMaximum,
  };
  const type = textOf(launch['InstanceType']);
  return [
    each(items.server(type), onDemand),
    each(items.spotServer(type), spot),
    ...volumeCharges(launch, count),
    ...addressCharges(template, listOf(group['VPCZoneIdentifier']), count),
  ];
}
