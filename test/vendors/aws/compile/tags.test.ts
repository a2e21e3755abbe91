import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { stackModel } from '../../../../src/model/stack-model.ts';
import { compileForAws } from '../../golden/aws.ts';
import { sampleGroup, sampleModel } from '../../sample-model.ts';
import { layersIn, propertiesIn, templateOf } from './world.ts';

const tags = { team: 'shop', 'cost-center': '42' };
const asList = [
  { Key: 'cost-center', Value: '42' },
  { Key: 'team', Value: 'shop' },
];

/** AWS has no tags for these, except for key pairs, which would be replaced with every server when a tag changes. */
const untagged = new Set([
  'AWS::AutoScaling::ScalingPolicy',
  'AWS::EC2::KeyPair',
  'AWS::EC2::NetworkAclEntry',
  'AWS::EC2::Route',
  'AWS::EC2::SubnetNetworkAclAssociation',
  'AWS::EC2::SubnetRouteTableAssociation',
  'AWS::EC2::VPCGatewayAttachment',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::IAM::InstanceProfile',
  'AWS::SecretsManager::SecretTargetAttachment',
]);

describe("the user's tags", () => {
  it('are on every resource that can have them', () => {
    const golden = new URL('../../golden/everything.model.json', import.meta.url);
    const model = { ...Value.Parse(stackModel, JSON.parse(readFileSync(golden, 'utf8'))), tags };
    const outcome = compileForAws(model, 'mo-1');
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    const resources = Object.values(outcome.value.template.Resources);
    const missing = resources.filter((resource) => !JSON.stringify(resource).includes('"cost-center"'));
    expect(missing.map(({ Type }) => Type).filter((type) => !untagged.has(type))).toEqual([]);
    expect(resources.length).toBeGreaterThan(missing.length);
  });

  it('are on the instances and volumes that a group launches, next to those of Almanac', () => {
    const template = templateOf({ ...sampleModel({ layers: [sampleGroup(1, 0)] }), tags });
    const { TagSpecifications } = propertiesIn(template, 'LaunchTemplateWeb0')['LaunchTemplateData'] as {
      TagSpecifications: { ResourceType: string; Tags: unknown[] }[];
    };
    expect(TagSpecifications.map(({ ResourceType }) => ResourceType)).toEqual(['instance', 'volume']);
    for (const { Tags } of TagSpecifications) {
      expect(Tags).toEqual(expect.arrayContaining(asList));
      expect(Tags).toContainEqual({ Key: 'almanac:stack', Value: 'mo-1' });
    }
    expect(propertiesIn(template, 'AutoScalingGroupWeb0')['Tags']).toContainEqual({
      Key: 'team',
      Value: 'shop',
      PropagateAtLaunch: true,
    });
  });

  it('leave the template as it is if there are none', () => {
    const model = layersIn({});
    expect(templateOf({ ...model, tags: {} })).toEqual(templateOf(model));
  });
});
