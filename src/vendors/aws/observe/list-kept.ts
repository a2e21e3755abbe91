import type { Snapshot as VolumeSnapshot } from '@aws-sdk/client-ec2';
import type { Snapshot as CacheSnapshot } from '@aws-sdk/client-elasticache';
import type { DBSnapshot } from '@aws-sdk/client-rds';
import type { KeptStore } from '../../data.ts';
import type { StackOnVendor } from '../../vendor.ts';
import { readAws } from '../errors.ts';
import { snapshotPrefix, stackTag } from '../names.ts';
import type { Region } from '../region.ts';

/** The snapshots that CloudFormation took of a stack's stores, also after the stack is gone. */
export async function listKept(region: Region, { id }: StackOnVendor): Promise<KeptStore[]> {
  const prefix = snapshotPrefix(id, '');
  const [databases, caches, volumes] = await Promise.all([
    readDatabaseSnapshots(region),
    readCacheSnapshots(region),
    readVolumeSnapshots(region),
  ]);
  return [
    ...databases
      .filter(({ DBSnapshotIdentifier = '' }) => DBSnapshotIdentifier.startsWith(prefix))
      .map(ofDatabase),
    ...caches.filter(({ SnapshotName = '' }) => SnapshotName.startsWith(prefix)).map(ofCache),
    ...volumes.filter((snapshot) => mayBelongTo(id, snapshot)).map(ofVolume),
  ];
}

const ofDatabase = (snapshot: DBSnapshot): KeptStore => ({
  storeId: snapshot.DBInstanceIdentifier ?? '',
  reference: snapshot.DBSnapshotIdentifier ?? '',
  where: `Snapshot ${snapshot.DBSnapshotIdentifier} in RDS under Snapshots.`,
  since: snapshot.SnapshotCreateTime?.getTime() ?? 0,
  until: null,
});

const ofCache = (snapshot: CacheSnapshot): KeptStore => ({
  storeId: snapshot.ReplicationGroupId ?? '',
  reference: snapshot.SnapshotName ?? '',
  where: `Snapshot ${snapshot.SnapshotName} in ElastiCache under Backups.`,
  since: snapshot.NodeSnapshots?.[0]?.SnapshotCreateTime?.getTime() ?? 0,
  until: null,
});

const ofVolume = ({ VolumeId = '', SnapshotId = '', StartTime }: VolumeSnapshot): KeptStore => ({
  storeId: VolumeId,
  reference: SnapshotId,
  where: `Snapshot ${SnapshotId} in EC2 under Snapshots.`,
  since: StartTime?.getTime() ?? 0,
  until: null,
});

/**
 * AWS documents neither a name nor tags for the snapshot that CloudFormation takes of a volume. So a snapshot that does not
 * say that it is of another stack may be of this one: the id of its volume decides.
 */
function mayBelongTo(stackId: string, { Tags = [], Description = '' }: VolumeSnapshot): boolean {
  // A snapshot of a machine image.
  if (/\bami\b/i.test(Description)) return false;
  const named = /^alm-.+-snapshot-/.test(Description) ? Description : snapshotPrefix(stackId, '');
  const tagged = Tags.find(({ Key }) => Key === stackTag)?.Value ?? stackId;
  return named.startsWith(snapshotPrefix(stackId, '')) && tagged === stackId;
}

type Page<T> = { items: T[] | undefined; next: string | undefined };

async function readPages<T>(readPage: (token: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let token: string | undefined;
  do {
    const { items = [], next } = await readPage(token);
    all.push(...items);
    token = next;
  } while (token);
  return all;
}

async function readDatabaseSnapshots({ clients }: Region): Promise<DBSnapshot[]> {
  const rds = await clients.rds();
  return readPages(async (Marker) => {
    const request = { SnapshotType: 'manual', ...(Marker ? { Marker } : {}) };
    const page = await readAws(() => rds.describeDBSnapshots(request));
    return { items: page.DBSnapshots, next: page.Marker };
  });
}

async function readCacheSnapshots({ clients }: Region): Promise<CacheSnapshot[]> {
  const elastiCache = await clients.elastiCache();
  return readPages(async (Marker) => {
    const page = await readAws(() => elastiCache.describeSnapshots(Marker ? { Marker } : {}));
    return { items: page.Snapshots, next: page.Marker };
  });
}

async function readVolumeSnapshots({ clients }: Region): Promise<VolumeSnapshot[]> {
  const ec2 = await clients.ec2();
  return readPages(async (NextToken) => {
    const request = { OwnerIds: ['self'], MaxResults: 1000, ...(NextToken ? { NextToken } : {}) };
    const page = await readAws(() => ec2.describeSnapshots(request));
    return { items: page.Snapshots, next: page.NextToken };
  });
}
