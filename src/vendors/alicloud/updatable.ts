import type { ResourceType } from './document.ts';

/**
 * The members that ROS changes in place, of those that compiled templates have. A change of any other member replaces the
 * resource, and ROS deletes the old one first. From the specification of ROS; members newer than it count as not updatable.
 * The block of a network is in its table, but every VSwitch and route in the network depends on it.
 */
const updatable: Readonly<Record<ResourceType, readonly string[]>> = {
  'ALIYUN::ECS::VPC': ['Description', 'VpcName', 'Tags'],
  'ALIYUN::ECS::VSwitch': ['Tags'],
  'ALIYUN::VPC::NatGateway': ['Tags'],
  'ALIYUN::VPC::EIP': ['Bandwidth', 'Tags'],
  'ALIYUN::VPC::EIPAssociation': ['AllocationId', 'InstanceId'],
  'ALIYUN::VPC::SnatEntry': ['SnatIp'],
  'ALIYUN::VPC::NetworkAcl': ['IngressAclEntries', 'EgressAclEntries'],
  'ALIYUN::VPC::NetworkAclAssociation': [],
  'ALIYUN::ECS::SecurityGroup': ['SecurityGroupIngress', 'SecurityGroupEgress', 'Tags'],
  'ALIYUN::ECS::SSHKeyPair': ['Tags'],
  'ALIYUN::RAM::Role': ['AssumeRolePolicyDocument', 'Policies', 'DeletionForce'],
  'ALIYUN::ECS::InstanceGroup': [
    'MaxAmount',
    'InstanceType',
    'ImageId',
    'SystemDiskCategory',
    'SystemDiskSize',
    'KeyPairName',
    'InternetChargeType',
    'InternetMaxBandwidthOut',
    'RamRoleName',
    'UserData',
    'UpdatePolicy',
    'Tags',
  ],
  'ALIYUN::ESS::ScalingGroup': [
    'MinSize',
    'MaxSize',
    'DefaultCooldown',
    'VSwitchIds',
    'LoadBalancerIds',
    'HealthCheckType',
    'RemovalPolicys',
    'MultiAZPolicy',
    'OnDemandBaseCapacity',
    'OnDemandPercentageAboveBaseCapacity',
    'SpotInstancePools',
    'SpotInstanceRemedy',
    'CompensateWithOnDemand',
    'Tags',
  ],
  'ALIYUN::ESS::ScalingConfiguration': [
    'InstanceTypes',
    'InstanceName',
    'ImageId',
    'SecurityGroupIds',
    'SystemDiskCategory',
    'SystemDiskSize',
    'KeyPairName',
    'InternetChargeType',
    'InternetMaxBandwidthOut',
    'RamRoleName',
    'SpotStrategy',
    'UserData',
    'TagList',
  ],
  'ALIYUN::ESS::ScalingGroupEnable': [],
  'ALIYUN::ESS::ScalingRule': [],
  'ALIYUN::SLB::LoadBalancer': ['LoadBalancerSpec', 'InternetChargeType', 'Tags'],
  'ALIYUN::SLB::Listener': ['Bandwidth', 'ServerCertificateId', 'ConnectionDrain', 'ConnectionDrainTimeout'],
  'ALIYUN::SLB::BackendServerAttachment': ['BackendServerList'],
  'ALIYUN::RDS::DBInstance': [
    'DBInstanceClass',
    'DBInstanceStorage',
    'DBInstanceStorageType',
    'Category',
    'SecurityIPList',
    'MasterUsername',
    'MasterUserPassword',
    'Tags',
  ],
  'ALIYUN::RDS::ReadOnlyDBInstance': ['DBInstanceClass', 'DBInstanceStorage', 'Tags'],
  'ALIYUN::REDIS::Instance': ['InstanceClass', 'DeletionForce', 'Tags'],
  'ALIYUN::REDIS::Whitelist': ['SecurityIps'],
  'ALIYUN::Memcache::Instance': [],
  'ALIYUN::Memcache::Whitelist': ['SecurityIps'],
};

export const isUpdatable = (type: ResourceType, member: string): boolean =>
  updatable[type].includes(member.split('/')[0] ?? '');

/**
 * Resources that may be replaced. What is in the others would be lost: data, addresses that users know, or the network of everything
 * else.
 */
const replaceable: ReadonlySet<ResourceType> = new Set<ResourceType>([
  'ALIYUN::SLB::Listener',
  'ALIYUN::SLB::BackendServerAttachment',
  'ALIYUN::VPC::NetworkAclAssociation',
  'ALIYUN::VPC::SnatEntry',
  'ALIYUN::VPC::EIPAssociation',
  'ALIYUN::ESS::ScalingGroupEnable',
  'ALIYUN::ESS::ScalingRule',
  'ALIYUN::ECS::InstanceGroup',
]);

export const mayBeReplaced = (type: ResourceType): boolean => replaceable.has(type);
