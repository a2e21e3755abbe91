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

/** Each with an invalid and a valid form of the same member. */
const mistakes: [string, string, string, Properties, Properties][] = [
  [
    'an invalid instance type',
    'AWS::EC2::Instance',
    'InstanceType',
    { InstanceType: 't3' },
    { InstanceType: 't3.micro' },
  ],
  [
    'too little storage',
    'AWS::RDS::DBInstance',
    'AllocatedStorage',
    { AllocatedStorage: '5' },
    { AllocatedStorage: '20' },
  ],
  [
    'an invalid CIDR block',
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
    'a percentage above 100',
    'AWS::AutoScaling::AutoScalingGroup',
    'MixedInstancesPolicy/InstancesDistribution/OnDemandPercentageAboveBaseCapacity',
    group(101),
    group(100),
  ],
  [
    'several zones without automatic failover',
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

describe('the final check of a template', () => {
  it.each(mistakes)('finds %s', (_, type, member, wrong, right) => {
    expect(templateProblems(templateWith(type, wrong), 'us-west-2')).toMatchObject([
      { path: `Resources/It/Properties/${member}` },
    ]);
    expect(templateProblems(templateWith(type, right), 'us-west-2')).toEqual([]);
  });

  it('finds invalid instance types in overrides and invalid rules in lists', () => {
    const overrides = { Overrides: [{ InstanceType: 't3.micro' }, { InstanceType: 'small' }] };
    expect(
      templateProblems(templateWith('AWS::AutoScaling::AutoScalingGroup', overrides), 'us-west-2'),
    ).toMatchObject([{ path: 'Resources/It/Properties/Overrides/1/InstanceType' }]);
    const rules = { SecurityGroupIngress: [{ CidrIp: '10.0.0.5/24' }] };
    expect(templateProblems(templateWith('AWS::EC2::SecurityGroup', rules), 'us-west-2')).toMatchObject([
      { path: 'Resources/It/Properties/SecurityGroupIngress/0/CidrIp' },
    ]);
  });

  it('finds dynamic references to foreign secrets anywhere in the template', () => {
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

  it('accepts a read replica without storage, which comes from its source', () => {
    const replica = templateWith('AWS::RDS::DBInstance', { SourceDBInstanceIdentifier: 'main' });
    expect(templateProblems(replica, 'us-west-2')).toEqual([]);
  });

  it('accepts compiled templates', () => {
    const model = sampleModel({ layers: [sampleGroup(2, 50)] });
    expect(templateProblems(templateOf(model), model.region)).toEqual([]);
  });
});
