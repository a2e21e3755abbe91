import type { DatabaseInstance } from '../../vendor.ts';
import type { Client } from '../client.ts';
import { observing } from '../errors.ts';
import { type Page, readPages } from '../rest/pages.ts';

/** Databases by their names in Trove, which start with the stack id. */
export type DatabasesByStack = readonly { name: string; database: DatabaseInstance }[];

interface TroveRow {
  id: string;
  name: string;
  status: string;
  datastore?: { type?: string; version?: string };
  flavor?: { id?: string };
  volume?: { size?: number };
  replica_of?: unknown;
  addresses?: readonly { address: string; type?: string }[];
  ip?: readonly string[];
}

const ports: Readonly<Record<string, number>> = {
  mysql: 3306,
  mariadb: 3306,
  percona: 3306,
  postgresql: 5432,
};

const databaseOf = (row: TroveRow, flavors: ReadonlyMap<string, string>): DatabaseInstance => {
  const { type: engine = '', version = '' } = row.datastore ?? {};
  const flavor = row.flavor?.id ?? '';
  return {
    id: row.id,
    role: row.replica_of ? 'replica' : 'primary',
    engine,
    engineVersion: version,
    type: flavors.get(flavor) ?? flavor,
    storageGib: row.volume?.size ?? 0,
    zone: '',
    state: row.status.toLowerCase(),
    address: row.addresses?.[0]?.address ?? row.ip?.[0] ?? '',
    port: ports[engine] ?? 0,
  };
};

const reading =
  (client: Client, service: 'compute' | 'database') =>
  (path: string): Promise<Page> =>
    observing(() => client.read<Page>({ service, path }));

/** Trove shows the ids of flavors only. */
async function readFlavors(client: Client): Promise<Map<string, string>> {
  const flavors = await readPages<{ id: string; name: string }>(reading(client, 'compute'), {
    path: '/flavors',
    member: 'flavors',
  });
  return new Map(flavors.map(({ id, name }) => [id, name]));
}

const readAll = (client: Client): Promise<TroveRow[]> =>
  readPages<TroveRow>(reading(client, 'database'), { path: '/instances?limit=100', member: 'instances' });

/** Lists the databases in a region in one paged call. */
export async function listDatabases(client: Client): Promise<DatabasesByStack> {
  if (!(await client.session()).endpoint('database', client.region)) return [];
  const rows = await readAll(client);
  const flavors = rows.length > 0 ? await readFlavors(client) : new Map<string, string>();
  return rows.map((row) => ({ name: row.name, database: databaseOf(row, flavors) }));
}

export const databasesOf = (all: DatabasesByStack, stackId: string): DatabaseInstance[] =>
  all
    .filter(({ name }) => name.startsWith(`${stackId}-`))
    .map(({ database }) => database)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
