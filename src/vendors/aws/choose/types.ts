import type { _InstanceType, InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Architecture } from '../choices.ts';
import { ask } from '../errors.ts';
import type { Region } from '../region.ts';
import { readOnce } from './read-once.ts';

/** As many values as AWS takes in one filter. */
const maxValues = 200;

const inParts = (values: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(values.length / maxValues) }, (_, index) =>
    values.slice(index * maxValues, (index + 1) * maxValues),
  );

const sortedOnce = (values: readonly string[]): string[] => [...new Set(values)].toSorted();

/** What each of the types runs; those the region does not know, or that run nothing we have an image for, are left out. */
export async function readArchitectures(
  region: Region,
  types: readonly string[],
): Promise<ReadonlyMap<string, Architecture>> {
  const wanted = sortedOnce(types);
  if (wanted.length === 0) return new Map();
  return readOnce(region, `architectures of ${wanted.join()}`, async () => {
    const found: [string, Architecture][] = [];
    for (const part of inParts(wanted))
      for (const info of await describeTypes(region, part)) {
        const architecture = architectureOf(info);
        if (architecture) found.push([info.InstanceType ?? '', architecture]);
      }
    return new Map(found);
  });
}

function architectureOf({ ProcessorInfo }: InstanceTypeInfo): Architecture | undefined {
  const runs: readonly string[] = ProcessorInfo?.SupportedArchitectures ?? [];
  return (['arm64', 'x86_64'] as const).find((architecture) => runs.includes(architecture));
}

/** By a filter, not by name: one name AWS does not know would make it refuse them all. */
async function describeTypes({ clients }: Region, types: string[]): Promise<InstanceTypeInfo[]> {
  const ec2 = await clients.ec2();
  const found: InstanceTypeInfo[] = [];
  let token: string | undefined;
  do {
    const page = await ask(() =>
      ec2.describeInstanceTypes({
        Filters: [{ Name: 'instance-type', Values: types }],
        ...(token ? { NextToken: token } : {}),
      }),
    );
    found.push(...(page.InstanceTypes ?? []));
    token = page.NextToken;
  } while (token);
  return found;
}

/** Where a type is to be had: the names of zones, by type. */
export type Offerings = ReadonlyMap<string, ReadonlySet<string>>;

export async function readOfferings(region: Region, types: readonly string[]): Promise<Offerings> {
  const wanted = sortedOnce(types);
  if (wanted.length === 0) return new Map();
  return readOnce(region, `offerings of ${wanted.join()}`, async () => {
    const zones = new Map<string, Set<string>>();
    for (const part of inParts(wanted))
      for (const [type, zone] of await describeOfferings(region, part))
        zones.set(type, (zones.get(type) ?? new Set()).add(zone));
    return zones;
  });
}

async function describeOfferings({ clients }: Region, types: string[]): Promise<[_InstanceType, string][]> {
  const ec2 = await clients.ec2();
  const found: [_InstanceType, string][] = [];
  let token: string | undefined;
  do {
    const page = await ask(() =>
      ec2.describeInstanceTypeOfferings({
        LocationType: 'availability-zone',
        Filters: [{ Name: 'instance-type', Values: types }],
        ...(token ? { NextToken: token } : {}),
      }),
    );
    for (const { InstanceType, Location } of page.InstanceTypeOfferings ?? [])
      if (InstanceType && Location) found.push([InstanceType, Location]);
    token = page.NextToken;
  } while (token);
  return found;
}
