import type { Instance as Ec2Instance } from '@aws-sdk/client-ec2';
import type { Instance } from '../../vendor.ts';
import type { Clients } from '../clients.ts';
import { observeAws } from '../errors.ts';
import { flagTag, groupTag, stackTag } from '../names.ts';

export interface Server {
  instance: Instance;
  /** The logical id; empty: a member of a group. */
  resource: string;
  /** The volume that it boots from. */
  rootVolume: string;
}

/** CloudFormation sets it, also on the members of groups. Nobody else can set or remove it. */
const resourceTag = 'aws:cloudformation:logical-id';

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

const serverOf = (found: Ec2Instance): Server => ({
  instance: instanceOf(found),
  resource: tagOf(found, groupTag) ? '' : tagOf(found, resourceTag),
  rootVolume:
    found.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === found.RootDeviceName)?.Ebs?.VolumeId ??
    '',
});

const byAge = ({ instance: one }: Server, { instance: other }: Server): number =>
  one.launchedAt - other.launchedAt || (one.id < other.id ? -1 : 1);

/** Lists the servers of all Almanac stacks in a region, by stack, in one paged call. A tag carries the stack id. */
export async function listInstances(clients: Clients): Promise<ReadonlyMap<string, readonly Server[]>> {
  const ec2 = await clients.ec2();
  const byStack = new Map<string, Server[]>();
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
      byStack.set(stackId, [...(byStack.get(stackId) ?? []), serverOf(found)]);
    }
    token = page.NextToken;
  } while (token);
  for (const servers of byStack.values()) servers.sort(byAge);
  return byStack;
}
