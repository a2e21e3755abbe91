import type { Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import type { Instance } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { observeAws } from '../errors.ts';
import { flagTag, stackTag } from '../names.ts';

const tagOf = ({ Tags = [] }: Ec2Instance, key: string): string =>
  Tags.find((tag) => tag.Key === key)?.Value ?? '';

const instanceOf = (instance: Ec2Instance): Instance => ({
  id: instance.InstanceId ?? '',
  flag: tagOf(instance, flagTag),
  type: instance.InstanceType ?? '',
  image: instance.ImageId ?? '',
  state: instance.State?.Name ?? 'pending',
  launchedAt: instance.LaunchTime?.getTime() ?? 0,
  spot: instance.InstanceLifecycle === 'spot',
  zone: instance.Placement?.AvailabilityZone ?? '',
  privateIp: instance.PrivateIpAddress ?? '',
  privateDns: instance.PrivateDnsName ?? '',
  publicIp: instance.PublicIpAddress || null,
  publicDns: instance.PublicDnsName || null,
  networkId: instance.VpcId ?? '',
  subnetId: instance.SubnetId ?? '',
  keyName: instance.KeyName || null,
});

const byAge = (one: Instance, other: Instance): number =>
  one.launchedAt - other.launchedAt || (one.id < other.id ? -1 : 1);

/** Lists the servers of all Almanac stacks in a region, by stack, in one paged call. A tag carries the stack id. */
export async function listInstances(clients: Clients): Promise<ReadonlyMap<string, readonly Instance[]>> {
  const ec2 = await clients.ec2();
  const byStack = new Map<string, Instance[]>();
  let token: string | undefined;
  do {
    const page = await observeAws(() =>
      ec2.describeInstances({
        Filters: [{ Name: 'tag-key', Values: [stackTag] }],
        MaxResults: 1000,
        ...(token ? { NextToken: token } : {}),
      }),
    );
    for (const found of (page.Reservations ?? []).flatMap(({ Instances = [] }) => Instances)) {
      const stackId = tagOf(found, stackTag);
      byStack.set(stackId, [...(byStack.get(stackId) ?? []), instanceOf(found)]);
    }
    token = page.NextToken;
  } while (token);
  for (const instances of byStack.values()) instances.sort(byAge);
  return byStack;
}
