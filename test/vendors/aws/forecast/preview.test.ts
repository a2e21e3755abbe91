import { describe, expect, it } from 'vitest';
import { nothingChosen } from '../../../../src/vendors/aws/choices.ts';
import type { AwsDocument, TemplateResource } from '../../../../src/vendors/aws/document.ts';
import { preview } from '../../../../src/vendors/aws/preview.ts';

type Resources = Record<string, TemplateResource>;

const document = (Resources: Resources): AwsDocument => ({
  template: {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: '',
    Parameters: {},
    Outputs: {},
    Resources,
  },
  choices: nothingChosen,
});

const server = (changes: object = {}): TemplateResource => ({
  Type: 'AWS::EC2::Instance',
  Properties: { ImageId: 'ami-1', InstanceType: 't3.micro', SubnetId: { Ref: 'Subnetweb' }, ...changes },
});
const subnet = (zone: string): TemplateResource => ({
  Type: 'AWS::EC2::Subnet',
  Properties: { AvailabilityZone: zone, CidrBlock: '10.0.0.0/24', VpcId: { Ref: 'VPC' } },
});
const database = (changes: object = {}): TemplateResource => ({
  Type: 'AWS::RDS::DBInstance',
  DeletionPolicy: 'Snapshot',
  UpdateReplacePolicy: 'Snapshot',
  Properties: { Engine: 'mysql', AllocatedStorage: '20', MultiAZ: false, ...changes },
});
const launch = (image: string): TemplateResource => ({
  Type: 'AWS::EC2::LaunchTemplate',
  Properties: { LaunchTemplateData: { ImageId: image, InstanceType: 't3.micro' } },
});
const group: TemplateResource = {
  Type: 'AWS::AutoScaling::AutoScalingGroup',
  Properties: {
    MinSize: '1',
    LaunchTemplate: { Version: { 'Fn::GetAtt': ['Launch', 'LatestVersionNumber'] } },
  },
};

async function planned(before: Resources | null, after: Resources): Promise<string[]> {
  const changes = await preview(before && document(before), document(after));
  return changes.map(({ action, resource, members }) => [action, resource, ...members].join(' '));
}

describe('a preview by comparison of templates', () => {
  it('adds everything for a new stack, and nothing for equal templates', async () => {
    expect(await planned(null, { Web: server() })).toEqual(['add Web']);
    expect(await planned({ Web: server() }, { Web: server() })).toEqual([]);
  });

  it('distinguishes an in-place change from a replacement', async () => {
    expect(await planned({ Web: server() }, { Web: server({ InstanceType: 't3.small' }) })).toEqual([
      'change Web InstanceType',
    ]);
    const [change] = await preview(
      document({ Web: server() }),
      document({ Web: server({ ImageId: 'ami-2' }) }),
    );
    expect(change).toEqual({
      action: 'replace',
      resource: 'Web',
      resourceType: 'AWS::EC2::Instance',
      members: ['ImageId'],
      warning: '',
    });
  });

  it('replaces resources that refer to a replaced resource', async () => {
    const before = { Subnetweb: subnet('a'), Web: server() };
    expect(await planned(before, { ...before, Subnetweb: subnet('c') })).toEqual([
      'replace Subnetweb AvailabilityZone',
      'replace Web SubnetId',
    ]);
  });

  it('changes a group when its launch template changes', async () => {
    expect(
      await planned({ Launch: launch('ami-1'), Group: group }, { Launch: launch('ami-2'), Group: group }),
    ).toEqual(['change Launch LaunchTemplateData/ImageId', 'change Group LaunchTemplate/Version']);
  });

  it('says nothing about the data of stores, which the fates of the stores describe', async () => {
    const [removed] = await preview(document({ Databasemain: database() }), document({}));
    expect(removed).toMatchObject({ action: 'remove', warning: '' });
    expect(
      await planned({ Databasemain: database() }, { Databasemain: database({ MultiAZ: true }) }),
    ).toEqual(['change Databasemain MultiAZ']);
  });

  it('warns about changed addresses and stopped servers', async () => {
    const balancer = (Scheme: string): TemplateResource => ({
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      Properties: { Scheme },
    });
    const warningOf = async (before: TemplateResource, after: TemplateResource) =>
      (await preview(document({ It: before }), document({ It: after })))[0]?.warning;
    expect(await warningOf(balancer('internal'), balancer('internet-facing'))).toContain('address');
    for (const change of [{ InstanceType: 't3.small' }, { UserData: { 'Fn::Base64': 'echo' } }])
      expect(await warningOf(server(), server(change))).toContain('stopped and started');
    expect(await warningOf(server(), server({ Tags: [] }))).toBe('');
  });

  it('ignores the version, which every update changes', async () => {
    const vpc = (Version: string): TemplateResource => ({
      Type: 'AWS::EC2::VPC',
      Properties: { CidrBlock: '10.0.0.0/16' },
      Metadata: { Version },
    });
    expect(await planned({ VPC: vpc('v1') }, { VPC: vpc('v2') })).toEqual([]);
  });
});
