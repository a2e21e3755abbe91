import type { CacheNode, DatabaseInstance } from '../../vendor.ts';
import { databaseEngines } from '../catalog.ts';
import type { Clients } from '../clients.ts';
import { ifThere, observing } from '../errors.ts';
import { isLastPage, type PageAnswer } from './pages.ts';

/** A database as the list shows it. */
export type DatabaseRow = Omit<DatabaseInstance, 'storageGib' | 'port'>;

interface RdsRow {
  DBInstanceId?: string;
  DBInstanceType?: string;
  Engine?: string;
  EngineVersion?: string;
  DBInstanceClass?: string;
  ZoneId?: string;
  DBInstanceStatus?: string;
  ConnectionString?: string;
}

const modelEngines = new Map(Object.entries(databaseEngines).map(([engine, { name }]) => [name, engine]));

const databaseOf = (row: RdsRow): DatabaseRow => ({
  id: row.DBInstanceId ?? '',
  role: row.DBInstanceType === 'Readonly' ? 'replica' : 'primary',
  engine: modelEngines.get(row.Engine ?? '') ?? row.Engine ?? '',
  engineVersion: row.EngineVersion ?? '',
  type: row.DBInstanceClass ?? '',
  zone: row.ZoneId ?? '',
  state: row.DBInstanceStatus ?? '',
  address: row.ConnectionString ?? '',
});

const pageSize = 100;
const maxPages = 50;

/** Reads all pages. */
async function readPages<Answer extends PageAnswer, Row>(
  read: (page: { PageNumber: number; PageSize: number }) => Promise<Answer>,
  rowsIn: (answer: Answer) => readonly Row[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await observing(() => read({ PageNumber: page, PageSize: pageSize }));
    const found = rowsIn(answer);
    rows.push(...found);
    if (isLastPage(answer, found, { page, size: pageSize })) break;
  }
  return rows;
}

interface DatabasesAnswer extends PageAnswer {
  Items?: { DBInstance?: readonly RdsRow[] };
}

/** The databases of a region by id, also those outside Almanac. */
export async function listDatabases(clients: Clients): Promise<ReadonlyMap<string, DatabaseRow>> {
  const rows = await readPages(
    (query) => clients.call<DatabasesAnswer>({ service: 'rds', action: 'DescribeDBInstances', query }),
    ({ Items }) => Items?.DBInstance ?? [],
  );
  return new Map(rows.map(databaseOf).map((database) => [database.id, database]));
}

interface AttributeAnswer {
  Items?: {
    DBInstanceAttribute?: readonly { DBInstanceStorage?: number; Port?: string; ConnectionString?: string }[];
  };
}

/** RDS shows these for one database at a time. */
export async function readDatabaseDetails(
  clients: Clients,
  id: string,
): Promise<Pick<DatabaseInstance, 'storageGib' | 'port'>> {
  const answer = await observing(() =>
    ifThere(() =>
      clients.call<AttributeAnswer>({
        service: 'rds',
        action: 'DescribeDBInstanceAttribute',
        query: { DBInstanceId: id },
      }),
    ),
  );
  const [row] = answer?.Items?.DBInstanceAttribute ?? [];
  return { storageGib: row?.DBInstanceStorage ?? 0, port: Number(row?.Port ?? 0) };
}

interface CacheRow {
  InstanceId?: string;
  InstanceType?: string;
  InstanceClass?: string;
  InstanceStatus?: string;
  ConnectionDomain?: string;
  Port?: number | string;
}

/** An instance has one address, whatever nodes are behind it. */
const cacheOf = (row: CacheRow): CacheNode => ({
  id: row.InstanceId ?? '',
  role: 'primary',
  engine: row.InstanceType === 'Memcache' ? 'memcached' : 'redis',
  type: row.InstanceClass ?? '',
  state: row.InstanceStatus ?? '',
  address: row.ConnectionDomain ?? '',
  port: Number(row.Port ?? 0),
});

interface CachesAnswer extends PageAnswer {
  Instances?: { KVStoreInstance?: readonly CacheRow[] };
}

/** The caches of a region by id, also those outside Almanac. */
export async function listCaches(clients: Clients): Promise<ReadonlyMap<string, CacheNode>> {
  const rows = await readPages(
    (query) => clients.call<CachesAnswer>({ service: 'r-kvstore', action: 'DescribeInstances', query }),
    ({ Instances }) => Instances?.KVStoreInstance ?? [],
  );
  return new Map(rows.map(cacheOf).map((cache) => [cache.id, cache]));
}
