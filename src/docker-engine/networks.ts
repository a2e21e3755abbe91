import { type Connection, encodePath } from './connection.ts';
import type { Attachment, Labels } from './container-types.ts';
import { EngineError, ifFound } from './errors.ts';
import { labelQuery } from './labels.ts';
import type { Network, NetworkDetails, NetworkSpec, Networks } from './types.ts';

interface RawNetwork {
  Id: string;
  Name: string;
  Labels: Labels | null;
  IPAM?: { Config: readonly { Subnet?: string; Gateway?: string }[] | null };
  Containers?: Readonly<Record<string, { Name: string; IPv4Address: string }>> | null;
}

const networkFrom = ({ Id, Name, Labels: labels, IPAM }: RawNetwork): Network => ({
  id: Id,
  name: Name,
  labels: labels ?? {},
  subnet: IPAM?.Config?.[0]?.Subnet ?? '',
  gateway: IPAM?.Config?.[0]?.Gateway ?? '',
});

const detailsFrom = (raw: RawNetwork): NetworkDetails => ({
  ...networkFrom(raw),
  containers: Object.entries(raw.Containers ?? {}).map(([id, { Name, IPv4Address }]) => ({
    id,
    name: Name,
    address: IPv4Address.split('/')[0] ?? '',
  })),
});

const bodyOf = (spec: NetworkSpec) => ({
  Name: spec.name,
  Driver: 'bridge',
  // Otherwise older engines create a second network with the same name.
  CheckDuplicate: true,
  Internal: spec.internal ?? false,
  Labels: spec.labels ?? {},
  ...(spec.subnet
    ? { IPAM: { Driver: 'default', Config: [{ Subnet: spec.subnet, Gateway: spec.gateway }] } }
    : {}),
});

/** The address that older engines choose. Derived from the IP address, so that ARP caches stay valid when a container comes back. */
const hardwareAddress = (address: string): string =>
  ['2', '66', ...address.split('.')].map((part) => Number(part).toString(16).padStart(2, '0')).join(':');

/** An attachment in the engine's format. */
export const endpointOf = ({ address, aliases }: Attachment) => ({
  ...(address ? { IPAMConfig: { IPv4Address: address }, MacAddress: hardwareAddress(address) } : {}),
  Aliases: aliases ?? [],
});

async function disconnect(connection: Connection, network: string, container: string): Promise<boolean> {
  try {
    const path = `/networks/${encodePath(network)}/disconnect`;
    await connection.status({ method: 'POST', path, json: { Container: container, Force: true } });
    return true;
  } catch (error) {
    if (error instanceof EngineError && (error.status === 404 || /not connected/i.test(error.message)))
      return false;
    throw error;
  }
}

export const networkCalls = (connection: Connection): Networks => ({
  create: async (spec) => {
    const call = { method: 'POST', path: '/networks/create', json: bodyOf(spec) } as const;
    return (await connection.json<{ Id: string }>(call)).Id;
  },
  list: async (labels) => {
    const call = { method: 'GET', path: '/networks', query: labelQuery(labels) } as const;
    return (await connection.json<RawNetwork[]>(call)).map(networkFrom);
  },
  inspect: async (name) => {
    const call = { method: 'GET', path: `/networks/${encodePath(name)}` } as const;
    const raw = await ifFound(connection.json<RawNetwork>(call));
    return raw && detailsFrom(raw);
  },
  remove: async (name) =>
    (await ifFound(connection.status({ method: 'DELETE', path: `/networks/${encodePath(name)}` }))) !==
    undefined,
  connect: async (attachment, container) => {
    const json = { Container: container, EndpointConfig: endpointOf(attachment) };
    await connection.status({
      method: 'POST',
      path: `/networks/${encodePath(attachment.network)}/connect`,
      json,
    });
  },
  disconnect: (network, container) => disconnect(connection, network, container),
});
