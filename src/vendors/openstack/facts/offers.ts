import type { Certificate, Datastore, ExternalNetwork } from '../choose/cloud-facts.ts';
import type { Client } from '../client.ts';
import { ifThere, observing } from '../errors.ts';
import { hasNext, type Page, readPages } from '../rest/pages.ts';

export async function readExternalNetworks(client: Client): Promise<ExternalNetwork[]> {
  const path = '/v2.0/networks?router%3Aexternal=True&fields=id&fields=name';
  const networks = await readPages<ExternalNetwork>(
    (page) => observing(() => client.read<Page>({ service: 'network', path: page })),
    { path, member: 'networks' },
  );
  return networks.map(({ id, name }) => ({ id, name }));
}

/** The default first, if the cloud says which it is. */
const withFirst = (names: readonly string[], first: string | undefined): string[] =>
  first !== undefined && names.includes(first)
    ? [first, ...names.filter((name) => name !== first)]
    : [...names];

export async function readVolumeTypes(client: Client): Promise<string[]> {
  const service = 'volumev3';
  if ((await client.session()).endpoint(service, client.region) === undefined) return [];
  const types = await readPages<{ id: string; name: string }>(
    (path) => observing(() => client.read<Page>({ service, path })),
    { path: '/types', member: 'volume_types' },
  );
  const standard = await observing(() =>
    ifThere(() => client.read<{ volume_type?: { name: string } }>({ service, path: '/types/default' })),
  );
  const names = types.map(({ name }) => name);
  return withFirst(names, standard?.volume_type?.name);
}

interface DatastoreRow {
  name: string;
  default_version?: string;
  versions?: readonly { id: string; name: string; active?: boolean | number }[];
}

export async function readDatastores(client: Client): Promise<Datastore[]> {
  const { datastores = [] } = await observing(() =>
    client.read<{ datastores?: DatastoreRow[] }>({ service: 'database', path: '/datastores' }),
  );
  return datastores.map(({ name, default_version: standard, versions = [] }) => {
    const active = versions.filter((version) => version.active === undefined || Boolean(version.active));
    return {
      name,
      versions: withFirst(
        active.map((version) => version.name),
        active.find(({ id }) => id === standard)?.name,
      ),
    };
  });
}

interface ContainerRow {
  name?: string;
  type: string;
  container_ref: string;
}

/** Barbican has no markers, and gives 100 rows at most unless the operator allows more. */
async function readContainers(client: Client): Promise<ContainerRow[]> {
  const rows = new Map<string, ContainerRow>();
  for (;;) {
    const path = `/v1/containers?limit=100&offset=${rows.size}`;
    const page = await observing(() =>
      client.read<Page & { containers?: ContainerRow[] }>({ service: 'key-manager', path }),
    );
    const known = rows.size;
    for (const row of page.containers ?? []) rows.set(row.container_ref, row);
    if (rows.size === known || !hasNext(page)) return [...rows.values()];
  }
}

export const readCertificates = async (client: Client): Promise<Certificate[]> =>
  (await readContainers(client))
    .filter(({ type }) => type === 'certificate')
    .map(({ name = '', container_ref: reference }) => ({ name, reference }));
