import type { KeptStore } from '../../data.ts';
import type { StackOnVendor } from '../../vendor.ts';
import type { Client } from '../client.ts';
import { observing } from '../errors.ts';
import type { Region } from '../region.ts';
import { type Page, readPages } from '../rest/pages.ts';
import { readByName, timeOf } from './list-stacks.ts';
import { keptSince, listVolumes } from './list-volumes.ts';
import { readResources } from './resources.ts';

export interface Backup {
  id: string;
  name: string;
  instance_id: string;
  status: string;
  created: string;
}

export async function listBackups(client: Client): Promise<Backup[]> {
  const service = 'database';
  if (!(await client.session()).endpoint(service, client.region)) return [];
  const read = (path: string): Promise<Page> => observing(() => client.read<Page>({ service, path }));
  return readPages<Backup>(read, { path: '/backups?limit=50', member: 'backups' });
}

/** Of databases that are gone, the newest of each: an update that was cancelled may leave others. */
async function keptBackups(region: Region, stackId: string): Promise<KeptStore[]> {
  const backups = (await listBackups(region.client)).filter((backup) => isOwn(backup, stackId));
  if (backups.length === 0) return [];
  const { value: databases } = await region.databases.get(0);
  const existing = new Set(databases.map(({ database }) => database.id));
  const gone = backups.filter(({ instance_id: id }) => !existing.has(id)).map(backupOf);
  const oldestFirst = gone.toSorted((one, other) => one.since - other.since);
  return [...new Map(oldestFirst.map((kept) => [kept.storeId, kept])).values()];
}

/** The name that `act/data/backups.ts` gives. */
const isOwn = ({ name, status }: Backup, stackId: string): boolean =>
  status === 'COMPLETED' && name.startsWith(`${stackId}-`) && /-[0-9a-f]{8}$/.test(name);

const backupOf = ({ id, name, instance_id: storeId, created }: Backup): KeptStore => ({
  storeId,
  reference: id,
  where: `Trove backup ${name} (${id}).`,
  since: timeOf(created),
  until: null,
});

async function keptVolumes(region: Region, stackId: string): Promise<KeptStore[]> {
  const stack = await readByName(region.client, stackId);
  const resources = stack ? await readResources(region.client, stack) : [];
  const used = new Set(resources.map(({ physicalId }) => physicalId));
  return (await listVolumes(region.client))
    .filter((volume) => volume.stackId === stackId && !used.has(volume.id))
    .flatMap((volume) => {
      const since = keptSince(volume);
      const where = `Cinder volume ${volume.id} with the data of ${volume.name}.`;
      return since === undefined
        ? []
        : [{ storeId: volume.id, reference: volume.id, where, since, until: null }];
    });
}

/** What is kept of a stack's databases, Redis caches and files. */
export const listKept = async (region: Region, { id }: StackOnVendor): Promise<KeptStore[]> => [
  ...(await keptBackups(region, id)),
  ...(await keptVolumes(region, id)),
];
