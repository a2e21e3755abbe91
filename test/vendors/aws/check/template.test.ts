import { describe, expect, it } from 'vitest';
import { templateProblems } from '../../../../src/vendors/aws/check/template.ts';
import type { Properties, Template } from '../../../../src/vendors/aws/document.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import { templateOf } from '../compile/world.ts';

const templateWith = (Type: string, Properties: Properties): Template => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: '',
  Parameters: {},
  Resources: { It: { Type, Properties } },
  Outputs: {},
});

const redis = { NumCacheClusters: 2, AutomaticFailoverEnabled: true, MultiAZEnabled: true };
const memcached = { Engine: 'memcached', NumCacheNodes: 2, AZMode: 'cross-az' };
const group = (percent: number): Properties => ({
  MixedInstancesPolicy: { InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: percent } },
});

/** Each with its member wrong, and the same one right. */
const mistakes: [string, string, string, Properties, Properties][] = [
  [
    'an instance type that is none',
    'AWS::EC2::Instance',
    'InstanceType',
    { InstanceType: 't3' },
    { InstanceType: 't3.micro' },
  ],
  [
    'storage too small',
    'AWS::RDS::DBInstance',
    'AllocatedStorage',
    { AllocatedStorage: '5' },
    { AllocatedStorage: '20' },
  ],
  [
    'a malformed block',
    'AWS::EC2::Subnet',
    'CidrBlock',
    { CidrBlock: '10.0.0/24' },
    { CidrBlock: '10.0.0.0/24' },
  ],
  [
    'too many nodes',
    'AWS::ElastiCache::CacheCluster',
    'NumCacheNodes',
    { ...memcached, NumCacheNodes: 41 },
    memcached,
  ],
  [
    'several zones for one node',
    'AWS::ElastiCache::CacheCluster',
    'AZMode',
    { ...memcached, NumCacheNodes: 1 },
    memcached,
  ],
  [
    'more than a hundred in a hundred',
    'AWS::AutoScaling::AutoScalingGroup',
    'MixedInstancesPolicy/InstancesDistribution/OnDemandPercentageAboveBaseCapacity',
    group(101),
    group(100),
  ],
  [
    'several zones without failover',
    'AWS::ElastiCache::ReplicationGroup',
    'MultiAZEnabled',
    { ...redis, AutomaticFailoverEnabled: false },
    redis,
  ],
  [
    'a script that is too long',
    'AWS::EC2::Instance',
    'UserData',
    { UserData: { 'Fn::Base64': 'x'.repeat(16385) } },
    { UserData: { 'Fn::Base64': 'x'.repeat(16384) } },
  ],
  [
    'a zone of another region',
    'AWS::EC2::Subnet',
    'AvailabilityZone',
    { AvailabilityZone: 'us-east-1a' },
    { AvailabilityZone: 'us-west-2a' },
  ],
];

describe('the last guard before CloudFormation', () => {
  it.each(mistakes)('sees %s', (_, type, member, wrong, right) => {
    expect(templateProblems(templateWith(type, wrong), 'us-west-2')).toMatchObject([
      { path: `Resources/It/Properties/${member}` },
    ]);
    expect(templateProblems(templateWith(type, right), 'us-west-2')).toEqual([]);
  });

  it('also sees instance types beside the first, and rules in lists', () => {
    const overrides = { Overrides: [{ InstanceType: 't3.micro' }, { InstanceType: 'small' }] };
    expect(
      templateProblems(templateWith('AWS::AutoScaling::AutoScalingGroup', overrides), 'us-west-2'),
    ).toMatchObject([{ path: 'Resources/It/Properties/Overrides/1/InstanceType' }]);
    const rules = { SecurityGroupIngress: [{ CidrIp: '10.0.0.5/24' }] };
    expect(templateProblems(templateWith('AWS::EC2::SecurityGroup', rules), 'us-west-2')).toMatchObject([
      { path: 'Resources/It/Properties/SecurityGroupIngress/0/CidrIp' },
    ]);
  });

  it('sees references to secrets that are none of ours, wherever they stand', () => {
    const hidden = '{{resolve:secretsmanager:payroll:SecretString:key}}';
    const pathsOf = (template: Template) => templateProblems(template, 'us-west-2').map(({ path }) => path);
    const tags = { Tags: [{ Value: `a ${hidden}` }], MasterUserPassword: { 'Fn::Sub': hidden } };
    expect(pathsOf(templateWith('AWS::EC2::VPC', tags))).toEqual([
      'Resources/It/Properties/Tags/0/Value',
      'Resources/It/Properties/MasterUserPassword/Fn::Sub',
    ]);
    const described = templateWith('AWS::EC2::VPC', {});
    expect(pathsOf({ ...described, Outputs: { A: { Description: '', Value: hidden } } })).toEqual([
      'Outputs/A/Value',
    ]);
    const own = { 'Fn::Sub': '{{resolve:secretsmanager:${DatabaseSecretmain}:SecretString:password}}' };
    expect(pathsOf(templateWith('AWS::EC2::VPC', { MasterUserPassword: own }))).toEqual([]);
    expect(pathsOf(templateWith('AWS::EC2::VPC', { Name: own }))).toHaveLength(1);
  });

  it('has nothing against storage of a read replica, which is its source’s', () => {
    const replica = templateWith('AWS::RDS::DBInstance', { SourceDBInstanceIdentifier: 'main' });
    expect(templateProblems(replica, 'us-west-2')).toEqual([]);
  });

  it('has nothing against what the compiler makes', () => {
    const model = sampleModel({ layers: [sampleGroup(2, 50)] });
    expect(templateProblems(templateOf(model), model.region)).toEqual([]);
  });
});
