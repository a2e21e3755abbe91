import type { _InstanceType, InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { Architecture } from '../choices.ts';
import { callAws } from '../errors.ts';
import type { Region } from '../region.ts';
import { readCached } from './read-cached.ts';

/** Limit of AWS for one filter. */
const maxValues = 200;

const inChunks = (values: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(values.length / maxValues) }, (_, index) =>
    values.slice(index * maxValues, (index + 1) * maxValues),
  );

const sortedUnique = (values: readonly string[]): string[] => [...new Set(values)].toSorted();

/** Reads the architecture of each type. Types that the region does not have, or that have no supported one, are omitted. */
export async function readArchitectures(
  region: Region,
  types: readonly string[],
): Promise<ReadonlyMap<string, Architecture>> {
  const unique = sortedUnique(types);
  if (unique.length === 0) return new Map();
  return readCached(region, `architectures of ${unique.join()}`, async () => {
    const found: [string, Architecture][] = [];
    for (const chunk of inChunks(unique))
      for (const info of await describeTypes(region, chunk)) {
        const architecture = architectureOf(info);
        if (architecture) found.push([info.InstanceType ?? '', architecture]);
      }
    return new Map(found);
  });
}

function architectureOf({ ProcessorInfo }: InstanceTypeInfo): Architecture | undefined {
  const supported: readonly string[] = ProcessorInfo?.SupportedArchitectures ?? [];
  return (['arm64', 'x86_64'] as const).find((architecture) => supported.includes(architecture));
}

/** Uses a filter instead of names: with names, one unknown type would fail the whole request. */
async function describeTypes({ clients }: Region, types: string[]): Promise<InstanceTypeInfo[]> {
  const ec2 = await clients.ec2();
  const found: InstanceTypeInfo[] = [];
  let token: string | undefined;
  do {
    const page = await callAws(() =>
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

/** The zones that offer an instance type, by type. */
export type Offerings = ReadonlyMap<string, ReadonlySet<string>>;

export async function readOfferings(region: Region, types: readonly string[]): Promise<Offerings> {
  const unique = sortedUnique(types);
  if (unique.length === 0) return new Map();
  return readCached(region, `offerings of ${unique.join()}`, async () => {
    const zones = new Map<string, Set<string>>();
    for (const chunk of inChunks(unique))
      for (const [type, zone] of await describeOfferings(region, chunk))
        zones.set(type, (zones.get(type) ?? new Set()).add(zone));
    return zones;
  });
}

async function describeOfferings({ clients }: Region, types: string[]): Promise<[_InstanceType, string][]> {
  const ec2 = await clients.ec2();
  const found: [_InstanceType, string][] = [];
  let token: string | undefined;
  do {
    const page = await callAws(() =>
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
