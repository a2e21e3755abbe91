import { expect, it } from 'vitest';
import { forecast } from '../../../../src/vendors/aws/forecast/change-set.ts';
import { type CannedWorld, cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const stack = { id: 's1', accountId: 'a', region: 'ap-northeast-1' };
const request = { StackName: 'alm-s1', TemplateBody: '{}' };
const existing = { stacks: [cannedStack('s1', {})] };

const change = (LogicalResourceId: string, ResourceType: string, more: object) => ({
  Type: 'Resource',
  ResourceChange: { LogicalResourceId, ResourceType, Action: 'Modify', Replacement: 'False', ...more },
});
const property = (Name: string, RequiresRecreation: string) => ({
  Target: { Attribute: 'Properties', Name, RequiresRecreation },
});

const forecastIn = (world: CannedWorld) => forecast(cannedRegion(world), stack, request);

it('forecasts the changes of a change set once it is ready, and deletes the change set', async () => {
  const Changes = [
    change('VPC', 'AWS::EC2::VPC', { Scope: ['Metadata'], Details: [{ Target: { Attribute: 'Metadata' } }] }),
    change('TopicNew', 'AWS::SNS::Topic', { Action: 'Add' }),
    change('Databasemain', 'AWS::RDS::DBInstance', { Action: 'Remove', PolicyAction: 'Snapshot' }),
    change('Instance1Ofweb', 'AWS::EC2::Instance', {
      Replacement: 'True',
      Details: [property('ImageId', 'Always')],
    }),
    change('Instance2Ofweb', 'AWS::EC2::Instance', {
      Replacement: 'Conditional',
      Details: [property('InstanceType', 'Conditionally')],
    }),
    change('AutoScalingGroupweb', 'AWS::AutoScaling::AutoScalingGroup', {
      Replacement: 'Conditional',
      Details: [
        property('MixedInstancesPolicy', 'Conditionally'),
        property('VPCZoneIdentifier', 'Conditionally'),
      ],
    }),
    change('Cachemain', 'AWS::ElastiCache::ReplicationGroup', {
      Replacement: 'Conditional',
      Details: [property('AuthToken', 'Conditionally')],
    }),
  ];
  const world = cannedWorld({
    ...existing,
    forecast: { Status: 'CREATE_COMPLETE', Changes, pollsUntilMade: 3 },
  });
  const planned = (await forecastIn(world))?.map(
    ({ action, resource, members }) => `${action} ${resource} ${members.join()}`,
  );
  expect(planned).toEqual([
    'change AutoScalingGroupweb MixedInstancesPolicy,VPCZoneIdentifier',
    'replace Cachemain AuthToken',
    'remove Databasemain ',
    'replace Instance1Ofweb ImageId',
    'change Instance2Ofweb InstanceType',
    'add TopicNew ',
  ]);
  expect(world.changeSets).toEqual([]);
});

it('forecasts no changes if CloudFormation finds none', async () => {
  const StatusReason = "The submitted information didn't contain changes. Submit different information.";
  const world = cannedWorld({ ...existing, forecast: { Status: 'FAILED', StatusReason, pollsUntilMade: 0 } });
  expect(await forecastIn(world)).toEqual([]);
  expect(world.changeSets).toEqual([]);
});

it('has no forecast without a stack, for a busy stack, or if CloudFormation rejects it or takes too long', async () => {
  expect(await forecastIn(cannedWorld())).toBeUndefined();
  const busy = cannedStack('s1', {}, { StackStatus: 'UPDATE_IN_PROGRESS' });
  expect(await forecastIn(cannedWorld({ stacks: [busy] }))).toBeUndefined();
  const refusals = { createChangeSet: awsError('ValidationError', 'Template format error') };
  expect(await forecastIn(cannedWorld({ ...existing, refusals }))).toBeUndefined();
  const slow = cannedWorld({ ...existing, forecast: { Status: 'CREATE_COMPLETE', pollsUntilMade: 1000 } });
  expect(await forecastIn(slow)).toBeUndefined();
  expect(slow.changeSets).toEqual([]);
});
