import type { Instance } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { observing } from '../errors.ts';
import { flagTag, stackTag } from '../names.ts';

export interface InstanceRow {
  InstanceId?: string;
  InstanceType?: string;
  ImageId?: string;
  Status?: string;
  CreationTime?: string;
  SpotStrategy?: string;
  ZoneId?: string;
  KeyPairName?: string;
  VpcAttributes?: {
    VpcId?: string;
    VSwitchId?: string;
    PrivateIpAddress?: { IpAddress?: readonly string[] };
  };
  PublicIpAddress?: { IpAddress?: readonly string[] };
  EipAddress?: { IpAddress?: string };
  Tags?: { Tag?: readonly { TagKey?: string; TagValue?: string }[] };
}

interface Page {
  Instances?: { Instance?: readonly InstanceRow[] };
  NextToken?: string;
}

export const tagOf = ({ Tags }: InstanceRow, key: string): string =>
  Tags?.Tag?.find(({ TagKey }) => TagKey === key)?.TagValue ?? '';

const states: Readonly<Record<string, Instance['state']>> = {
  Pending: 'pending',
  Starting: 'pending',
  Running: 'running',
  Stopping: 'stopping',
  Stopped: 'stopped',
};

/** Times of ECS have minutes only. */
const timeOf = (text = ''): number => Date.parse(text) || 0;

const instanceOf = (row: InstanceRow): Instance => ({
  id: row.InstanceId ?? '',
  flag: tagOf(row, flagTag),
  type: row.InstanceType ?? '',
  image: row.ImageId ?? '',
  state: states[row.Status ?? ''] ?? 'pending',
  launchedAt: timeOf(row.CreationTime),
  spot: (row.SpotStrategy ?? 'NoSpot') !== 'NoSpot',
  zone: row.ZoneId ?? '',
  privateIp: row.VpcAttributes?.PrivateIpAddress?.IpAddress?.[0] ?? '',
  privateDns: '',
  publicIp: row.PublicIpAddress?.IpAddress?.[0] || row.EipAddress?.IpAddress || null,
  publicDns: null,
  networkId: row.VpcAttributes?.VpcId ?? '',
  subnetId: row.VpcAttributes?.VSwitchId ?? '',
  keyName: row.KeyPairName || null,
});

const byAge = (one: Instance, other: Instance): number =>
  one.launchedAt - other.launchedAt || (one.id < other.id ? -1 : 1);

const readPage = (clients: Clients, query: object): Promise<Page> =>
  observing(() => clients.call<Page>({ service: 'ecs', action: 'DescribeInstances', query }));

/** Lists the servers of all Almanac stacks in a region, by stack, in one paged call. A tag carries the stack id. */
export async function listInstances(clients: Clients): Promise<ReadonlyMap<string, readonly Instance[]>> {
  const byStack = new Map<string, Instance[]>();
  let token: string | undefined;
  do {
    const page = await readPage(clients, {
      Tag: [{ Key: stackTag }],
      MaxResults: 100,
      ...(token ? { NextToken: token } : {}),
    });
    for (const row of page.Instances?.Instance ?? []) {
      const stackId = tagOf(row, stackTag);
      byStack.set(stackId, [...(byStack.get(stackId) ?? []), instanceOf(row)]);
    }
    token = page.NextToken;
  } while (token);
  for (const instances of byStack.values()) instances.sort(byAge);
  return byStack;
}

export const readInstance = async (clients: Clients, id: string): Promise<InstanceRow | undefined> =>
  (await readPage(clients, { InstanceIds: JSON.stringify([id]) })).Instances?.Instance?.[0];
