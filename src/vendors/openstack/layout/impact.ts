import type { Template, TemplateResource } from '../document.ts';

/** What a change means for a resource: from the sources of Heat, and as seen on a real OpenStack. */

/** Members that change in place, by type. A change of any other member replaces the resource. */
const inPlace: Readonly<Record<string, readonly string[]>> = {
  'OS::Neutron::Net': ['name', 'tags'],
  'OS::Neutron::Router': ['name', 'external_gateway_info', 'tags'],
  'OS::Neutron::Subnet': ['name', 'dns_nameservers', 'tags'],
  'OS::Neutron::RouterInterface': [],
  'OS::Neutron::Port': ['name', 'security_groups', 'fixed_ips', 'tags'],
  'OS::Neutron::SecurityGroup': ['name', 'description', 'rules'],
  'OS::Neutron::FloatingIP': ['port_id'],
  'OS::Nova::KeyPair': [],
  'OS::Nova::Server': ['name', 'flavor', 'image', 'metadata', 'user_data_update_policy'],
  'OS::Cinder::Volume': ['name', 'size', 'volume_type', 'metadata'],
  'OS::Cinder::VolumeAttachment': ['volume_id', 'instance_uuid'],
  'OS::Octavia::LoadBalancer': ['name', 'description'],
  'OS::Octavia::Listener': ['default_tls_container_ref'],
  'OS::Octavia::Pool': ['lb_algorithm', 'tls_enabled'],
  'OS::Octavia::HealthMonitor': ['delay', 'timeout', 'max_retries', 'url_path', 'expected_codes'],
  'OS::Octavia::PoolMember': [],
  'OS::Trove::Instance': ['name', 'flavor', 'size', 'databases', 'users'],
  'OS::Heat::AutoScalingGroup': ['resource', 'min_size', 'max_size', 'cooldown', 'rolling_updates'],
  'OS::Heat::ScalingPolicy': ['scaling_adjustment', 'adjustment_type', 'cooldown'],
  'OS::Heat::WaitConditionHandle': [],
  'OS::Heat::WaitCondition': ['count'],
  'FCX::AutoScaling::AutoScalingGroup': [
    'LaunchConfigurationName',
    'MinSize',
    'MaxSize',
    'Cooldown',
    'HealthCheckGracePeriod',
    'LoadBalancerNames',
    'Tags',
  ],
  'FCX::AutoScaling::ScalingPolicy': ['AdjustmentType', 'ScalingAdjustment', 'Cooldown'],
  'FCX::ExpandableLoadBalancer::LoadBalancer': ['Listeners', 'HealthCheck', 'SecurityGroups'],
  'FCX::Database::DBInstance': ['name', 'flavorRef', 'volume', 'securityGroupIds'],
};

/** `member`: its first name is a property. A server whose script is ignored stays when the script changes. */
export function replaces({ type, properties = {} }: TemplateResource, member: string): boolean {
  const [name = ''] = member.split('/');
  if (name === 'metadata' || name === 'depends_on') return false;
  if (name === 'user_data' && properties['user_data_update_policy'] === 'IGNORE') return false;
  return !inPlace[type]?.includes(name);
}

const addressLost = 'Its address is lost. Update everything that refers to the address.';
const lossWarnings: Readonly<Record<string, string>> = {
  'OS::Neutron::FloatingIP': addressLost,
  'OS::Octavia::LoadBalancer': addressLost,
  'FCX::ExpandableLoadBalancer::LoadBalancer': addressLost,
  'OS::Nova::KeyPair': 'Its private key becomes invalid. Fetch the new one.',
};

/** Describes what is lost besides data when a resource is removed or replaced; empty if nothing is. */
export function lossWarning({ resources }: Template, name: string): string {
  const resource = resources[name];
  if (!resource) return '';
  // Users know the address of its floating IP, which has a warning of its own.
  const isBehindAddress = Object.hasOwn(resources, name.replace(/^LoadBalancer/, 'LoadBalancerAddress'));
  if (resource.type === 'OS::Octavia::LoadBalancer' && isBehindAddress) return '';
  return lossWarnings[resource.type] ?? '';
}

/** Describes what an in-place change interrupts; empty if nothing is. */
export function interruptionWarning({ type }: TemplateResource, members: readonly string[]): string {
  const has = (name: string): boolean => members.some((member) => member.split('/')[0] === name);
  if (type === 'OS::Neutron::Port' && has('fixed_ips')) return 'Its server gets another address.';
  if (type === 'OS::Nova::Server' && has('image')) return 'The server is rebuilt from the image.';
  if (type === 'OS::Nova::Server' && has('flavor')) return 'The server is stopped and started.';
  if (type === 'OS::Heat::AutoScalingGroup') return memberWarning(members);
  if (type === 'FCX::AutoScaling::AutoScalingGroup' && has('LaunchConfigurationName'))
    return 'Its servers may be replaced.';
  return '';
}

function memberWarning(members: readonly string[]): string {
  if (members.some((member) => rollingMember.test(member)))
    return 'Its servers are replaced, one batch after the other.';
  return members.includes('resource/properties/image')
    ? 'Its servers are rebuilt, one batch after the other.'
    : '';
}

/** Values of members that cannot change on a running server. */
const rollingMember = /^resource\/(type|properties\/(key|zone|user_data|network|volume_zone)\b)/;
