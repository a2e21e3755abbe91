import { CredentialRejected } from '../../vendor.ts';
import type { Quota, QuotaName, Quotas } from '../choose/cloud-facts.ts';
import type { Client } from '../client.ts';
import { CloudError } from '../errors.ts';
import { type Page, readPages } from '../rest/pages.ts';
import type { Service } from '../session.ts';

type Named = readonly [QuotaName, Quota];

/** A negative limit means that there is none. */
const limited = (name: QuotaName, limit: number | undefined, used: number | undefined): Named[] =>
  limit === undefined || limit < 0 || used === undefined ? [] : [[name, { limit, used }]];

const networkNames: Readonly<Record<string, QuotaName>> = {
  network: 'networks',
  subnet: 'subnets',
  router: 'routers',
  port: 'ports',
  floatingip: 'floatingIps',
  security_group: 'securityGroups',
};

interface NetworkQuota {
  limit: number;
  used: number;
  reserved?: number;
}

async function readNetworks(client: Client): Promise<Named[]> {
  const { projectId } = await client.session();
  const path = `/v2.0/quotas/${projectId}/details.json`;
  const { quota } = await client.read<{ quota: Readonly<Record<string, NetworkQuota>> }>({
    service: 'network',
    path,
  });
  return Object.entries(networkNames).flatMap(([key, name]) => {
    const { limit, used = 0, reserved = 0 } = quota[key] ?? {};
    return limited(name, limit, used + reserved);
  });
}

type Absolute = Readonly<Record<string, number>>;

const readLimits = async (client: Client, service: Service): Promise<Absolute> =>
  (await client.read<{ limits: { absolute: Absolute } }>({ service, path: '/limits' })).limits.absolute;

async function readServers(client: Client): Promise<Named[]> {
  const limits = await readLimits(client, 'compute');
  const { keypairs = [] } = await client.read<{ keypairs?: unknown[] }>({
    service: 'compute',
    path: '/os-keypairs',
  });
  return [
    ...limited('servers', limits['maxTotalInstances'], limits['totalInstancesUsed']),
    ...limited('cpus', limits['maxTotalCores'], limits['totalCoresUsed']),
    ...limited('memoryMib', limits['maxTotalRAMSize'], limits['totalRAMUsed']),
    ...limited('keyPairs', limits['maxTotalKeypairs'], keypairs.length),
  ];
}

async function readVolumes(client: Client): Promise<Named[]> {
  const limits = await readLimits(client, 'volumev3');
  return [
    ...limited('volumes', limits['maxTotalVolumes'], limits['totalVolumesUsed']),
    ...limited('volumeGib', limits['maxTotalVolumeGigabytes'], limits['totalGigabytesUsed']),
  ];
}

async function readBalancers(client: Client): Promise<Named[]> {
  const service = 'load-balancer';
  const { projectId } = await client.session();
  const { quota } = await client.read<{ quota: { load_balancer?: number; loadbalancer?: number } }>({
    service,
    path: `/v2/lbaas/quotas/${projectId}`,
  });
  const loadbalancers = await readPages((path) => client.read<Page>({ service, path }), {
    path: '/v2/lbaas/loadbalancers?fields=id',
    member: 'loadbalancers',
  });
  return limited('loadBalancers', quota.load_balancer ?? quota.loadbalancer, loadbalancers.length);
}

const readers: Readonly<Partial<Record<Service, (client: Client) => Promise<Named[]>>>> = {
  network: readNetworks,
  compute: readServers,
  volumev3: readVolumes,
  'load-balancer': readBalancers,
};

/** A service that does not tell its limits to this user has none as far as we know: a creation then shows them. */
async function unlessRejected(read: () => Promise<Named[]>): Promise<Named[]> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CloudError || cause instanceof CredentialRejected) return [];
    throw cause;
  }
}

export async function readQuotas(client: Client): Promise<Quotas> {
  const session = await client.session();
  const services = Object.entries(readers).filter(
    ([service]) => session.endpoint(service as Service, client.region) !== undefined,
  );
  const found = await Promise.all(services.map(([, read]) => unlessRejected(() => read(client))));
  return Object.fromEntries(found.flat());
}
