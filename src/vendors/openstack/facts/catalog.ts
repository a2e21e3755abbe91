import type { ServiceType } from '../choose/cloud-facts.ts';
import type { Client } from '../client.ts';

const types: Readonly<Record<ServiceType, true>> = {
  orchestration: true,
  compute: true,
  image: true,
  network: true,
  volumev3: true,
  'load-balancer': true,
  database: true,
  'key-manager': true,
  'object-store': true,
};

/** The services that the cloud has in a region. */
export async function readServices(client: Client): Promise<ReadonlySet<ServiceType>> {
  const session = await client.session();
  const known = Object.keys(types) as ServiceType[];
  return new Set(known.filter((type) => session.endpoint(type, client.region) !== undefined));
}
