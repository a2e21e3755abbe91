import type { RoleArea } from './role-areas.ts';

/** What CloudFormation needs for resources of one type. */
interface ResourceTypeRights {
  /** The permissions of the role with which it creates, updates and deletes them: see role-areas.ts. */
  areas: readonly RoleArea[];
  /** The permissions of the key with which it reads them in a drift check, from the schemas that AWS publishes. */
  reads: readonly string[];
}

const of = (areas: RoleArea | readonly RoleArea[], ...reads: string[]): ResourceTypeRights => ({
  areas: typeof areas === 'string' ? [areas] : areas,
  reads,
});

const vpcReads = ['ec2:DescribeSecurityGroups', 'ec2:DescribeVpcAttribute', 'ec2:DescribeVpcs'];
const loadBalancing = (...operations: string[]): string[] =>
  operations.map((operation) => `elasticloadbalancing:Describe${operation}`);

/** Every resource type in templates. The compiler can use no other: a new type needs a new row. */
export const resourceTypes = {
  'AWS::AutoScaling::AutoScalingGroup': of('autoscaling', 'autoscaling:Describe*'),
  'AWS::AutoScaling::ScalingPolicy': of(['autoscaling', 'scaling-alarms'], 'autoscaling:DescribePolicies'),
  'AWS::EC2::EIP': of('ec2', 'ec2:DescribeAddresses'),
  'AWS::EC2::Instance': of(
    'ec2',
    'ec2:DescribeElasticGpus',
    'ec2:DescribeInstanceAttribute',
    'ec2:DescribeInstanceCreditSpecifications',
    'ec2:DescribeInstances',
    'ec2:DescribeLaunchTemplates',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeVolumes',
    'ssm:DescribeAssociation',
    'ssm:ListAssociations',
  ),
  'AWS::EC2::InternetGateway': of('ec2', 'ec2:DescribeInternetGateways'),
  'AWS::EC2::KeyPair': of(['ec2', 'private-keys'], 'ec2:DescribeKeyPairs'),
  'AWS::EC2::LaunchTemplate': of(
    'ec2',
    'ec2:DescribeLaunchTemplateVersions',
    'ec2:DescribeLaunchTemplates',
    'ec2:DescribeTags',
  ),
  'AWS::EC2::NatGateway': of('ec2', 'ec2:DescribeNatGateways'),
  'AWS::EC2::NetworkAcl': of('ec2', 'ec2:DescribeNetworkAcls'),
  'AWS::EC2::NetworkAclEntry': of('ec2', 'ec2:DescribeNetworkAcls'),
  'AWS::EC2::Route': of('ec2', 'ec2:DescribeRouteTables'),
  'AWS::EC2::RouteTable': of('ec2', 'ec2:DescribeRouteTables'),
  'AWS::EC2::SecurityGroup': of('ec2', 'ec2:DescribeSecurityGroups'),
  'AWS::EC2::Subnet': of('ec2', 'ec2:DescribeNetworkAcls', 'ec2:DescribeSubnets'),
  'AWS::EC2::SubnetNetworkAclAssociation': of('ec2', 'ec2:DescribeNetworkAcls'),
  'AWS::EC2::SubnetRouteTableAssociation': of('ec2', 'ec2:DescribeRouteTables'),
  'AWS::EC2::VPC': of('ec2', ...vpcReads, 'ec2:DescribeNetworkAcls', 'ec2:DescribeVpcEncryptionControls'),
  'AWS::EC2::VPCGatewayAttachment': of('ec2', 'ec2:DescribeInternetGateways', 'ec2:DescribeVpnGateways'),
  'AWS::EC2::Volume': of('ec2', 'ec2:DescribeTags', 'ec2:DescribeVolumes'),
  'AWS::ElastiCache::CacheCluster': of(
    'elasticache',
    'elasticache:DescribeCacheClusters',
    'elasticache:ListTagsForResource',
  ),
  'AWS::ElastiCache::ReplicationGroup': of(
    'elasticache',
    'elasticache:DescribeReplicationGroups',
    'elasticache:ListTagsForResource',
  ),
  'AWS::ElastiCache::SubnetGroup': of(
    'elasticache',
    'elasticache:DescribeCacheSubnetGroups',
    'elasticache:ListTagsForResource',
  ),
  'AWS::ElasticLoadBalancingV2::Listener': of(
    'elasticloadbalancing',
    ...loadBalancing('ListenerAttributes', 'Listeners', 'Tags'),
  ),
  'AWS::ElasticLoadBalancingV2::LoadBalancer': of(
    'elasticloadbalancing',
    ...loadBalancing('CapacityReservation', 'LoadBalancerAttributes', 'LoadBalancers', 'Tags'),
  ),
  'AWS::ElasticLoadBalancingV2::TargetGroup': of(
    'elasticloadbalancing',
    ...loadBalancing('Tags', 'TargetGroupAttributes', 'TargetGroups', 'TargetHealth'),
  ),
  'AWS::IAM::InstanceProfile': of('server-roles', 'iam:GetInstanceProfile'),
  'AWS::IAM::Role': of(
    'server-roles',
    'iam:GetRole',
    'iam:GetRolePolicy',
    'iam:ListAttachedRolePolicies',
    'iam:ListRolePolicies',
  ),
  'AWS::RDS::DBInstance': of(
    'rds',
    ...vpcReads,
    'ec2:DescribeAccountAttributes',
    'ec2:DescribeAvailabilityZones',
    'ec2:DescribeInternetGateways',
    'ec2:DescribeSubnets',
    'rds:DescribeDBInstances',
  ),
  'AWS::RDS::DBSubnetGroup': of('rds', 'rds:DescribeDBSubnetGroups', 'rds:ListTagsForResource'),
  'AWS::SecretsManager::Secret': of(
    'database-secrets',
    'secretsmanager:DescribeSecret',
    'secretsmanager:GetSecretValue',
  ),
  'AWS::SecretsManager::SecretTargetAttachment': of('database-secrets', 'secretsmanager:GetSecretValue'),
} satisfies Record<string, ResourceTypeRights>;

export type ResourceType = keyof typeof resourceTypes;
