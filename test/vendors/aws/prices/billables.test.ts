import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { estimateCost } from '../../../../src/model/cost.ts';
import type { AwsDocument, TemplateResource } from '../../../../src/vendors/aws/document.ts';
import { billables, freeTypes } from '../../../../src/vendors/aws/prices/billables.ts';
import { shipped } from '../../../../src/vendors/aws/prices/shipped.ts';

const golden = new URL('../../golden/', import.meta.url);
const documents = readdirSync(golden)
  .filter((file) => file.endsWith('.aws.yaml'))
  .map((file) => [file, parse(readFileSync(new URL(file, golden), 'utf8')) as AwsDocument] as const);

const documentWith = (resources: Record<string, TemplateResource>) =>
  ({ template: { Resources: resources }, choices: {} }) as unknown as AwsDocument;

const chargesOf = (resources: Record<string, TemplateResource>, name: string) =>
  Object.fromEntries(
    billables(documentWith(resources))
      .filter(({ resource }) => resource === name)
      .flatMap(({ charges }) => charges)
      .filter(({ atMaximum }) => atMaximum > 0)
      .map(({ item, atMinimum, atMaximum }) => [item, [atMinimum, atMaximum]]),
  );

const subnet = (isPublic: boolean): TemplateResource => ({
  Type: 'AWS::EC2::Subnet',
  Properties: { MapPublicIpOnLaunch: isPublic },
});

const launch = {
  InstanceType: 't3.micro',
  BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeType: 'gp3', VolumeSize: 30 } }],
};

const group = (onDemandPercent: number): TemplateResource => ({
  Type: 'AWS::AutoScaling::AutoScalingGroup',
  Properties: {
    MinSize: '1',
    MaxSize: '4',
    VPCZoneIdentifier: [{ Ref: 'Public' }],
    MixedInstancesPolicy: {
      InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: onDemandPercent },
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateId: { Ref: 'Launch' } } },
    },
  },
});

const around = {
  Public: subnet(true),
  Private: subnet(false),
  Launch: { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: launch } },
} satisfies Record<string, TemplateResource>;

describe('what AWS charges for', () => {
  it.each(documents)('every resource type in %s is free or has a known kind of charge', (_, document) => {
    const unknown = billables(document).filter(({ charges }) =>
      charges.some(({ item }) => item.startsWith('resource ') || item.includes('unknown type')),
    );
    expect(unknown).toEqual([]);
    expect(billables(document).length).toBeGreaterThan(0);
  });

  it('a resource type that this release does not know has an unknown cost, not none', () => {
    const resources = { Lake: { Type: 'AWS::Lake::Formation' } };
    expect(chargesOf(resources, 'Lake')).toEqual({ 'resource AWS::Lake::Formation': [1, 1] });
    expect(freeTypes.has('AWS::Lake::Formation')).toBe(false);
  });

  it('a server is charged with its disk, and with an address only in a public subnet', () => {
    const server = (where: string): TemplateResource => ({
      Type: 'AWS::EC2::Instance',
      Properties: { ...launch, SubnetId: { Ref: where } },
    });
    const own = { 'server t3.micro': [730, 730], 'volume gp3': [30, 30] };
    expect(chargesOf({ ...around, Server: server('Private') }, 'Server')).toEqual(own);
    expect(chargesOf({ ...around, Server: server('Public') }, 'Server')).toEqual({
      ...own,
      'public address': [730, 730],
    });
  });

  it('the operations of a volume beyond the first tier of io2 have a charge of their own', () => {
    const Ebs = { VolumeType: 'io2', VolumeSize: 4000, Iops: 40_000 };
    const server: TemplateResource = {
      Type: 'AWS::EC2::Instance',
      Properties: { ...launch, BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs }] },
    };
    expect(chargesOf({ Server: server }, 'Server')).toEqual({
      'server t3.micro': [730, 730],
      'volume io2': [4000, 4000],
      'IOPS of volume io2': [32_000, 32_000],
      'IOPS of volume io2 beyond 32000': [8000, 8000],
    });
  });

  it('a group is charged for its minimum and its maximum size', () => {
    expect(chargesOf({ ...around, Group: group(100) }, 'Group')).toEqual({
      'server t3.micro': [730, 2920],
      'volume gp3': [30, 120],
      'public address': [730, 2920],
    });
  });

  it('the spot servers of a group have no price, and the fraction of a server counts as on demand', () => {
    expect(chargesOf({ ...around, Group: group(30) }, 'Group')).toMatchObject({
      'server t3.micro': [730, 1460],
      'spot server t3.micro': [0, 1460],
    });
    const { after } = estimateCost(shipped, null, billables(documentWith({ ...around, Group: group(0) })));
    expect(after.unknown).toBe('part');
  });

  it('a replica has the engine and the storage of its source, in one zone', () => {
    const resources = {
      Database: {
        Type: 'AWS::RDS::DBInstance',
        Properties: {
          DBInstanceClass: 'db.t4g.micro',
          Engine: 'postgres',
          StorageType: 'gp3',
          AllocatedStorage: '50',
          MultiAZ: true,
        },
      },
      Replica: {
        Type: 'AWS::RDS::DBInstance',
        Properties: {
          DBInstanceClass: 'db.t4g.micro',
          StorageType: 'gp3',
          SourceDBInstanceIdentifier: { Ref: 'Database' },
        },
      },
    };
    expect(chargesOf(resources, 'Database')).toEqual({
      'postgres database db.t4g.micro in two zones': [730, 730],
      'postgres storage gp3 in two zones': [50, 50],
    });
    expect(chargesOf(resources, 'Replica')).toEqual({
      'postgres database db.t4g.micro': [730, 730],
      'postgres storage gp3': [50, 50],
    });
  });

  it('a public load balancer also has an address in each zone, an internal one has none', () => {
    const balancer = (scheme: string): TemplateResource => ({
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      Properties: { Type: 'application', Scheme: scheme, Subnets: [{ Ref: 'Public' }, { Ref: 'Private' }] },
    });
    expect(chargesOf({ B: balancer('internet-facing') }, 'B')).toEqual({
      'load balancer application': [730, 730],
      'public address': [1460, 1460],
    });
    expect(chargesOf({ B: balancer('internal') }, 'B')).toEqual({ 'load balancer application': [730, 730] });
  });

  it('every node of a cache is charged', () => {
    const cache: TemplateResource = {
      Type: 'AWS::ElastiCache::ReplicationGroup',
      Properties: { Engine: 'redis', CacheNodeType: 'cache.t4g.micro', NumCacheClusters: 3 },
    };
    expect(chargesOf({ C: cache }, 'C')).toEqual({ 'redis node cache.t4g.micro': [2190, 2190] });
  });
});

describe('the prices that come with Almanac', () => {
  it('each have a day, and price only what a template can have', () => {
    for (const { date, prices, currency } of shipped) {
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(currency).toBe('USD');
      for (const price of Object.values(prices)) expect(price).toBeGreaterThan(0);
    }
  });

  it('a default server in a public subnet of us-east-1 costs 13.64 dollars a month: 7.59, its disk 2.40, its address 3.65', () => {
    const server: TemplateResource = {
      Type: 'AWS::EC2::Instance',
      Properties: { ...launch, SubnetId: { Ref: 'Public' } },
    };
    const { after } = estimateCost(shipped, null, billables(documentWith({ ...around, Server: server })));
    expect(after.unknown).toBe('none');
    expect(after.atMinimum).toBeCloseTo(0.0104 * 730 + 30 * 0.08 + 0.005 * 730, 10);
  });
});
