import { losses } from '../../shared/losses.ts';
import type { ResourceType, TemplateResource } from '../document.ts';

/** What a change means for a resource. */

const addressLost = 'Its address is lost. Update everything that refers to the address.';
const groupDisks = 'Data that is only on the disks of its servers is lost.';

const lossWarnings: Readonly<Partial<Record<ResourceType, string>>> = {
  'ALIYUN::RDS::DBInstance': losses.database,
  'ALIYUN::REDIS::Instance': losses.cache,
  'ALIYUN::Memcache::Instance': losses.cache,
  'ALIYUN::ECS::InstanceGroup': groupDisks,
  'ALIYUN::ESS::ScalingGroup': groupDisks,
  'ALIYUN::SLB::LoadBalancer': addressLost,
  'ALIYUN::VPC::EIP': addressLost,
  'ALIYUN::ECS::SSHKeyPair': 'Its private key becomes invalid. Fetch the new one.',
};

/** ROS deletes first: nothing is there until the new one is made. */
const gapWarnings: Readonly<Partial<Record<ResourceType, string>>> = {
  'ALIYUN::SLB::Listener': 'Its port is closed until the new listener is made.',
  'ALIYUN::VPC::SnatEntry': 'The servers of its subnet cannot reach the internet until the new one is made.',
  'ALIYUN::VPC::NetworkAclAssociation': 'No network ACL applies to its subnet until the new one is made.',
  'ALIYUN::ECS::InstanceGroup': `Its servers are deleted before the new ones are made. ${groupDisks}`,
};

/** Describes what is lost or interrupted when a resource is removed or replaced; empty if nothing is. */
export const lossWarning = (type: ResourceType, action: 'remove' | 'replace' = 'remove'): string =>
  (action === 'replace' ? gapWarnings[type] : undefined) ?? lossWarnings[type] ?? '';

/** Resources whose data cannot be made again. */
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

/** Describes what an in-place change interrupts; empty if nothing is. */
export function interruptionWarning({ before, after }: Change, members: readonly string[]): string {
  const has = (name: string): boolean => members.some((member) => member.split('/')[0] === name);
  if (after.Type === 'ALIYUN::ESS::ScalingConfiguration' && members.some((name) => launchMember.test(name)))
    return 'Servers that run keep what they were made from. Restart them one by one.';
  if (after.Type !== 'ALIYUN::ECS::InstanceGroup') return '';
  if (has('ImageId')) return `The disks of its servers are replaced. ${losses.disk}`;
  if (Number(after.Properties['MaxAmount']) < Number(before.Properties['MaxAmount']))
    return `Alibaba Cloud chooses which servers it removes. ${losses.disk}`;
  return has('InstanceType') || has('UserData') ? 'Its servers are stopped and started.' : '';
}
