import type { Flavor, Image } from '../choose/cloud-facts.ts';
import type { Client } from '../client.ts';
import { ifThere, observing } from '../errors.ts';
import { type Page, readPages } from '../rest/pages.ts';

interface FlavorRow {
  id: string;
  name: string;
  vcpus: number;
  ram: number;
  disk: number;
  'os-flavor-access:is_public'?: boolean;
  'OS-FLV-DISABLED:disabled'?: boolean;
  extra_specs?: Readonly<Record<string, string>>;
}

const flavorOf = (row: FlavorRow): Flavor => ({
  id: row.id,
  name: row.name,
  cpus: row.vcpus,
  memoryMib: row.ram,
  diskGib: row.disk,
  isPublic: row['os-flavor-access:is_public'] ?? true,
  extraSpecs: Object.keys(row.extra_specs ?? {}),
});

const pageSize = 1000;
/** The first version of the interface that shows what is special about a flavor. Older clouds ignore it. */
const withExtraSpecs = 'compute 2.61';

export async function readFlavors(client: Client): Promise<Flavor[]> {
  const rows = await readPages<FlavorRow>(
    (path) => observing(() => client.read<Page>({ service: 'compute', path, microversion: withExtraSpecs })),
    { path: `/flavors/detail?limit=${pageSize}`, member: 'flavors', limit: pageSize },
  );
  return rows.filter((row) => !row['OS-FLV-DISABLED:disabled']).map(flavorOf);
}

interface ImageRow {
  id: string;
  name?: string | null;
  status?: string;
  visibility?: string;
  os_distro?: string | null;
  os_version?: string | null;
  os_admin_user?: string | null;
  created_at: string;
  min_disk?: number;
  min_ram?: number;
}

const imageOf = (row: ImageRow): Image => ({
  id: row.id,
  name: row.name ?? '',
  isPublic: row.visibility === 'public',
  distribution: row.os_distro ?? '',
  release: row.os_version ?? '',
  adminUser: row.os_admin_user ?? '',
  createdAt: Date.parse(row.created_at),
  minDiskGib: row.min_disk ?? 0,
  minMemoryMib: row.min_ram ?? 0,
});

export async function readImages(client: Client): Promise<Image[]> {
  const rows = await readPages<ImageRow>(
    (path) => observing(() => client.read<Page>({ service: 'image', path })),
    { path: `/v2/images?status=active&limit=${pageSize}`, member: 'images' },
  );
  return rows.map(imageOf);
}

/** Servers that were made from a deactivated image stay, and Heat accepts its name. */
const usable = new Set(['active', 'deactivated']);

export async function readImage(client: Client, id: string): Promise<Image | undefined> {
  const path = `/v2/images/${encodeURIComponent(id)}`;
  const row = await observing(() => ifThere(() => client.read<ImageRow>({ service: 'image', path })));
  return row && usable.has(row.status ?? 'active') ? imageOf(row) : undefined;
}

interface ZoneRow {
  zoneName: string;
  zoneState?: { available?: boolean };
}

async function readZonesOf(client: Client, service: 'compute' | 'volumev3'): Promise<string[]> {
  const { availabilityZoneInfo: rows = [] } = await observing(() =>
    client.read<{ availabilityZoneInfo?: ZoneRow[] }>({ service, path: '/os-availability-zone' }),
  );
  return rows.filter(({ zoneState }) => zoneState?.available !== false).map(({ zoneName }) => zoneName);
}

/** A cloud without Cinder has no zones of volumes. */
export async function readZones(client: Client): Promise<Record<'servers' | 'volumes', string[]>> {
  const hasVolumes = (await client.session()).endpoint('volumev3', client.region) !== undefined;
  return {
    servers: await readZonesOf(client, 'compute'),
    volumes: hasVolumes ? await readZonesOf(client, 'volumev3') : [],
  };
}
