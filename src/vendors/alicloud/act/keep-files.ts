import type { KeptStore } from '../../data.ts';
import { ifThere, Refusal } from '../errors.ts';
import { requestTag, stackTag, storeTag } from '../names.ts';
import { timeOf } from '../observe/list-stacks.ts';
import { serverOf } from '../observe/stores.ts';
import { shortHash } from '../observe/versions.ts';
import type { Region } from '../region.ts';
import type { KeepRequest } from './keep-databases.ts';

interface Tag {
  Key: string;
  Value: string;
}

interface SnapshotRow {
  SnapshotId?: string;
  Status?: string;
  CreationTime?: string;
  Tags?: { Tag?: readonly { TagKey?: string; TagValue?: string }[] };
}

interface SnapshotsAnswer {
  Snapshots?: { Snapshot?: readonly SnapshotRow[] };
  NextToken?: string;
}

async function listSnapshots({ clients }: Region, tags: readonly Tag[]): Promise<SnapshotRow[]> {
  const rows: SnapshotRow[] = [];
  let token: string | undefined;
  do {
    const page = await clients.call<SnapshotsAnswer>({
      service: 'ecs',
      action: 'DescribeSnapshots',
      query: { Tag: tags, MaxResults: 100, ...(token ? { NextToken: token } : {}) },
    });
    rows.push(...(page.Snapshots?.Snapshot ?? []));
    token = page.NextToken;
  } while (token);
  return rows;
}

const isKept = ({ Status }: SnapshotRow): boolean => Status === 'accomplished';

/** Undefined: the server is gone. */
async function readSystemDisk({ clients }: Region, InstanceId: string): Promise<string | undefined> {
  const answer = await ifThere(() =>
    clients.call<{ Disks?: { Disk?: readonly { DiskId?: string }[] } }>({
      service: 'ecs',
      action: 'DescribeDisks',
      query: { InstanceId, DiskType: 'system' },
    }),
  );
  return answer?.Disks?.Disk?.[0]?.DiskId;
}

/** Makes a snapshot of the disk that the files are on. It outlives the disk. False: it is not complete yet. */
export async function keepFiles(region: Region, { stackId, store, intent }: KeepRequest): Promise<boolean> {
  const request = shortHash(`${store.id} ${intent}`);
  const rows = await listSnapshots(region, [{ Key: requestTag, Value: request }]);
  if (rows.some(isKept)) return true;
  if (rows.some(({ Status }) => Status === 'failed'))
    throw new Refusal(
      `The snapshot of the files of ${store.resource} (${serverOf(store.id)}) failed. Nothing was deleted. ` +
        'Delete the failed snapshot in the ECS console, and try again.',
    );
  if (rows.length > 0) return false;
  const DiskId = await readSystemDisk(region, serverOf(store.id));
  if (DiskId === undefined) return true;
  const tags = [
    { Key: stackTag, Value: stackId },
    { Key: storeTag, Value: store.id },
    { Key: requestTag, Value: request },
  ];
  await region.clients.call({
    service: 'ecs',
    action: 'CreateSnapshot',
    query: { DiskId, SnapshotName: `almanac-${stackId}`, Tag: tags, ClientToken: `keep-${request}` },
  });
  return false;
}

const tagIn = ({ Tags }: SnapshotRow, key: string): string =>
  Tags?.Tag?.find(({ TagKey }) => TagKey === key)?.TagValue ?? '';

const keptSnapshot = (row: SnapshotRow): KeptStore => ({
  storeId: tagIn(row, storeTag),
  reference: row.SnapshotId ?? '',
  where: `Snapshot ${row.SnapshotId} of the disk of ECS server ${serverOf(tagIn(row, storeTag))}: ECS console, Snapshots.`,
  since: timeOf(row.CreationTime),
  until: null,
});

export async function listKeptFiles(region: Region, stackId: string): Promise<KeptStore[]> {
  const rows = await listSnapshots(region, [{ Key: stackTag, Value: stackId }]);
  return rows.filter((row) => isKept(row) && tagIn(row, storeTag) !== '').map(keptSnapshot);
}
