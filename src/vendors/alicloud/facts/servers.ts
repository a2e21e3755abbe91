import type { InstanceType } from '../choose/cloud-facts.ts';
import type { Clients } from '../clients.ts';
import { observing } from '../errors.ts';

interface ZoneRow {
  ZoneId?: string;
  AvailableResourceCreation?: { ResourceTypes?: readonly string[] };
}

/** Zones in which VSwitches and servers can be made. */
export async function readZones(clients: Clients): Promise<string[]> {
  const { Zones: { Zone: rows = [] } = {} } = await observing(() =>
    clients.call<{ Zones?: { Zone?: readonly ZoneRow[] } }>({ service: 'ecs', action: 'DescribeZones' }),
  );
  const has = ({ AvailableResourceCreation: { ResourceTypes = [] } = {} }: ZoneRow): boolean =>
    ['VSwitch', 'Instance'].every((kind) => ResourceTypes.includes(kind));
  return rows.filter(has).flatMap(({ ZoneId }) => ZoneId ?? []);
}

interface Available {
  AvailableZones?: {
    AvailableZone?: readonly {
      ZoneId?: string;
      AvailableResources?: {
        AvailableResource?: readonly {
          SupportedResources?: { SupportedResource?: readonly { Value?: string; Status?: string }[] };
        }[];
      };
    }[];
  };
}

/** The zones that have each instance type on sale now. */
export async function readZonesByType(clients: Clients): Promise<ReadonlyMap<string, readonly string[]>> {
  const { AvailableZones: { AvailableZone: zones = [] } = {} } = await observing(() =>
    clients.call<Available>({
      service: 'ecs',
      action: 'DescribeAvailableResource',
      query: { DestinationResource: 'InstanceType', IoOptimized: 'optimized' },
    }),
  );
  const byType = new Map<string, string[]>();
  for (const { ZoneId = '', AvailableResources } of zones)
    for (const { SupportedResources } of AvailableResources?.AvailableResource ?? [])
      for (const { Value = '', Status } of SupportedResources?.SupportedResource ?? [])
        if (Status === 'Available') byType.set(Value, [...(byType.get(Value) ?? []), ZoneId]);
  return byType;
}

interface TypeRow {
  InstanceTypeId?: string;
  CpuCoreCount?: number;
  MemorySize?: number;
  CpuArchitecture?: string;
}

/** Limit of ECS. */
const namesPerCall = 10;

export async function readInstanceTypes(
  clients: Clients,
  names: readonly string[],
  zonesByType: ReadonlyMap<string, readonly string[]>,
): Promise<InstanceType[]> {
  const types: InstanceType[] = [];
  for (let from = 0; from < names.length; from += namesPerCall) {
    const query = { InstanceTypes: names.slice(from, from + namesPerCall) };
    const { InstanceTypes: { InstanceType: rows = [] } = {} } = await observing(() =>
      clients.call<{ InstanceTypes?: { InstanceType?: readonly TypeRow[] } }>({
        service: 'ecs',
        action: 'DescribeInstanceTypes',
        query,
      }),
    );
    types.push(...rows.map((row) => instanceTypeOf(row, zonesByType)));
  }
  return types;
}

const instanceTypeOf = (
  { InstanceTypeId: name = '', CpuCoreCount: cpus = 0, MemorySize: memoryGib = 0, CpuArchitecture }: TypeRow,
  zonesByType: ReadonlyMap<string, readonly string[]>,
): InstanceType => ({
  name,
  cpus,
  memoryGib,
  architecture: CpuArchitecture === 'ARM' ? 'arm64' : 'x86_64',
  zones: zonesByType.get(name) ?? [],
});
