import type { KeptStore } from '../../data.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { observing } from '../errors.ts';
import { isLastPage, type PageAnswer } from '../observe/pages.ts';
import { filesId } from '../observe/stores.ts';
import type { Region } from '../region.ts';
import { type BackupRow, keptBackup } from './keep-databases.ts';
import { listKeptFiles } from './keep-files.ts';

const pageSize = 100;
const maxPages = 50;

interface BackupsAnswer extends PageAnswer {
  Items?: { Backup?: readonly BackupRow[] };
}

/** Backups of all released instances in the region: RDS does not say to which stack one belonged. */
async function listDetached({ clients, name }: Region): Promise<BackupRow[]> {
  const rows: BackupRow[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await clients.call<BackupsAnswer>({
      service: 'rds',
      action: 'DescribeDetachedBackups',
      query: { Region: name, BackupStatus: 'Success', PageNumber: page, PageSize: pageSize },
    });
    const found = answer.Items?.Backup ?? [];
    rows.push(...found);
    if (isLastPage(answer, found, { page, size: pageSize })) break;
  }
  return rows;
}

/** A request that is cancelled after its backup leaves the backup and the store: then nothing has outlived its store. */
async function readExisting({ databases, instances, pollMs }: Region, id: string): Promise<Set<string>> {
  const [existing, servers] = await Promise.all([databases.get(pollMs), instances.get(pollMs)]);
  return new Set([...existing.value.keys(), ...(servers.value.get(id) ?? []).map(filesId)]);
}

/** The newest of each store. Those made a moment ago are added, because RDS lists them up to half an hour later. */
export async function listKept(region: Region, { id }: StackOnVendor): Promise<readonly KeptStore[]> {
  const [detached, files] = await observing(() =>
    Promise.all([listDetached(region), listKeptFiles(region, id)]),
  );
  const all = [...(region.kept.get(id) ?? []), ...detached.map(keptBackup), ...files];
  if (all.length === 0) return [];
  const existing = await readExisting(region, id);
  const byAge = all
    .filter(({ storeId }) => !existing.has(storeId))
    .toSorted((one, other) => one.since - other.since);
  return [...new Map(byAge.map((kept) => [kept.storeId, kept])).values()];
}
