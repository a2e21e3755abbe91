import type { ResourceType, TemplateResource } from '../document.ts';

/** What a change means for a resource, besides the data of stores. */

const addressLost = 'Its address is lost. Update everything that refers to the address.';

const lossWarnings: Readonly<Partial<Record<ResourceType, string>>> = {
  'ALIYUN::Memcache::Instance': 'Its cached data is lost.',
  'ALIYUN::ESS::ScalingGroup': 'Data that is only on the disks of its servers is lost.',
  'ALIYUN::SLB::LoadBalancer': addressLost,
  'ALIYUN::VPC::EIP': addressLost,
  'ALIYUN::ECS::SSHKeyPair': 'Its private key becomes invalid. Fetch the new one.',
};

/** ROS deletes first: nothing is there until the new one is made. */
const gapWarnings: Readonly<Partial<Record<ResourceType, string>>> = {
  'ALIYUN::SLB::Listener': 'Its port is closed until the new listener is made.',
  'ALIYUN::VPC::SnatEntry': 'The servers of its subnet cannot reach the internet until the new one is made.',
  'ALIYUN::VPC::NetworkAclAssociation': 'No network ACL applies to its subnet until the new one is made.',
  'ALIYUN::ECS::InstanceGroup': 'Its servers are deleted before the new ones are made.',
};

/** Describes what is lost or interrupted when a resource is removed or replaced; empty if nothing is. */
export const lossWarning = (type: ResourceType, action: 'remove' | 'replace' = 'remove'): string =>
  (action === 'replace' ? gapWarnings[type] : undefined) ?? lossWarnings[type] ?? '';

/** Databases and caches: ROS must never replace them. */
export const dataTypes: ReadonlySet<string> = new Set<ResourceType>([
  'ALIYUN::RDS::DBInstance',
  'ALIYUN::REDIS::Instance',
]);

export const holdsData = ({ Type }: TemplateResource): boolean => dataTypes.has(Type);

/** What a server is made from. Tags change with it. */
const launchMember =
  /^(InstanceTypes|ImageId|SystemDisk|KeyPairName|Internet|RamRoleName|UserData|SecurityGroupIds)/;

interface Change {
  before: TemplateResource;
  after: TemplateResource;
}

const isServers = ({ before, after }: Change): boolean =>
  before.Type === 'ALIYUN::ECS::InstanceGroup' && after.Type === before.Type;

const removesServers = ({ before, after }: Change): boolean =>
  Number(after.Properties['MaxAmount']) < Number(before.Properties['MaxAmount']);

/** Whether a change in place takes disks from servers. Which servers are removed is the choice of Alibaba Cloud: it may be any. */
export const losesDisks = (change: Change): boolean =>
  isServers(change) &&
  (removesServers(change) || change.before.Properties['ImageId'] !== change.after.Properties['ImageId']);

/** Describes what an in-place change interrupts; empty if nothing is. */
export function interruptionWarning(change: Change, members: readonly string[]): string {
  const has = (name: string): boolean => members.some((member) => member.split('/')[0] === name);
  const isConfiguration = change.after.Type === 'ALIYUN::ESS::ScalingConfiguration';
  if (isConfiguration && members.some((name) => launchMember.test(name)))
    return 'Servers that run keep what they were made from. Restart them one by one.';
  if (!isServers(change)) return '';
  if (removesServers(change)) return 'Alibaba Cloud chooses which servers it removes.';
  return ['ImageId', 'InstanceType', 'UserData'].some(has) ? 'Its servers are stopped and started.' : '';
}
