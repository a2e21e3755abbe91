import { expect, it } from 'vitest';
import { readDrift, startDriftCheck } from '../../../../src/vendors/aws/forecast/drift.ts';
import { cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const stack = { id: 's1', accountId: 'a', region: 'ap-northeast-1' };
const checkedAt = Date.UTC(2030, 0, 1);
const checked = (StackDriftStatus: string) =>
  cannedStack('s1', {}, { DriftInformation: { StackDriftStatus, LastCheckTimestamp: new Date(checkedAt) } });

const changedGroup = {
  LogicalResourceId: 'SecurityGroupweb',
  ResourceType: 'AWS::EC2::SecurityGroup',
  StackResourceDriftStatus: 'MODIFIED',
  PropertyDifferences: [
    { PropertyPath: '/SecurityGroupIngress/0/FromPort', ExpectedValue: '80', ActualValue: '22' },
  ],
};
const deletedRoute = {
  LogicalResourceId: 'PublicRoute',
  ResourceType: 'AWS::EC2::Route',
  StackResourceDriftStatus: 'DELETED',
};

it('shows a running drift check, then its result', async () => {
  const world = cannedWorld({ stacks: [cannedStack('s1', {})], drifted: [changedGroup, deletedRoute] });
  const region = cannedRegion(world);
  expect(await readDrift(region, stack)).toMatchObject({ state: 'never_checked', checkedAt: null });
  world.driftCheck = { DetectionStatus: 'DETECTION_IN_PROGRESS' };
  expect(await startDriftCheck(region, stack)).toEqual({ accepted: true });
  expect(await readDrift(region, stack)).toMatchObject({ state: 'checking' });
  world.driftCheck = { DetectionStatus: 'DETECTION_COMPLETE' };
  world.stacks = [checked('DRIFTED')];
  expect(await readDrift(region, stack)).toEqual({
    state: 'drifted',
    checkedAt,
    reason: '',
    resources: [
      { resource: 'PublicRoute', resourceType: 'AWS::EC2::Route', kind: 'deleted', members: [] },
      {
        resource: 'SecurityGroupweb',
        resourceType: 'AWS::EC2::SecurityGroup',
        kind: 'changed',
        members: [{ path: 'SecurityGroupIngress/0/FromPort', expected: '80', actual: '22' }],
      },
    ],
  });
});

it('shows the last drift result on a server that did not start the check', async () => {
  const world = cannedWorld({ stacks: [checked('IN_SYNC')] });
  expect(await readDrift(cannedRegion(world), stack)).toMatchObject({ state: 'in_sync', checkedAt });
});

it('shows why a drift check failed until another one is started', async () => {
  const world = cannedWorld({ stacks: [checked('IN_SYNC')] });
  const region = cannedRegion(world);
  await startDriftCheck(region, stack);
  world.driftCheck = { DetectionStatus: 'DETECTION_FAILED', DetectionStatusReason: 'Rate exceeded for one.' };
  for (let reading = 0; reading < 2; reading += 1)
    expect(await readDrift(region, stack)).toMatchObject({
      state: 'failed',
      reason: 'Rate exceeded for one.',
    });
});

it('accepts a drift check that is already running, and refuses a stack that cannot be checked', async () => {
  const world = cannedWorld({ stacks: [cannedStack('s1', {})] });
  const region = cannedRegion(world);
  const refuse = (message: string) =>
    (world.refusals['detectStackDrift'] = awsError('ValidationError', message));
  refuse('Drift detection is already in progress for stack [arn:s1]');
  expect(await startDriftCheck(region, stack)).toEqual({ accepted: true });
  refuse('Stack [arn:s1] is in UPDATE_IN_PROGRESS state and can not detect drift.');
  expect(await startDriftCheck(region, stack)).toMatchObject({ accepted: false });
  world.stacks = [];
  expect(await startDriftCheck(region, stack)).toMatchObject({ accepted: false });
});
