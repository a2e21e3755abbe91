import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../../src/vendors/aws/observe/events.ts';
import { cannedRegion, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const instance = 'i-07af1cb218dd6a081';
const group = {
  LogicalResourceId: 'AutoScalingGroupWeb',
  ResourceType: 'AWS::AutoScaling::AutoScalingGroup',
};
const server = { LogicalResourceId: 'Instance0OfWeb', ResourceType: 'AWS::EC2::Instance' };
const start = {
  LogicalResourceId: 'alm-mo-1',
  PhysicalResourceId: 'arn:stack',
  StackId: 'arn:stack',
  ResourceStatus: 'CREATE_IN_PROGRESS',
};
const failure = (resource: object, reason: string, status = 'CREATE_FAILED') => ({
  ...resource,
  ResourceStatus: status,
  ResourceStatusReason: reason,
});
const signal = `Received FAILURE signal with UniqueId ${instance}`;

/** Newest first, as AWS returns them. */
const failedServer = [failure(server, signal), start];
const failedGroup = [
  failure(
    group,
    'Received 1 FAILURE signal(s) out of 2. Unable to satisfy 100% MinSuccessfulInstancesPercent',
  ),
  failure(group, signal, 'CREATE_IN_PROGRESS'),
  start,
];
const consoles = {
  [instance]:
    '[   12.3] cloud-init: starting\r\nalmanac-install-failed: almanac: cannot install packages: nodejs\r\nlogin: ',
};
const reasonOf = async (changes: Parameters<typeof cannedWorld>[0]): Promise<string> =>
  (await readHistory(cannedRegion(cannedWorld(changes)), { arn: 'arn:stack' })).reason;

describe('a stack that failed because a server could not be installed (EC2 and CloudFormation are fakes)', () => {
  it.each([
    ['a server', failedServer],
    ['a member of a group', failedGroup],
  ])('of %s shows the end of its install log', async (_, events) => {
    expect(await reasonOf({ events, consoles })).toMatch(
      /FAILURE signal.*install log ends with: almanac: cannot install packages: nodejs$/,
    );
  });

  it('shows the failure alone if there is no output, or the key may not read it', async () => {
    const plain = `Instance0OfWeb (AWS::EC2::Instance): ${signal}`;
    expect(await reasonOf({ events: failedServer })).toBe(plain);
    const refusals = { getConsoleOutput: awsError('UnauthorizedOperation', 'ec2:GetConsoleOutput', 403) };
    expect(await reasonOf({ events: failedServer, consoles, refusals })).toBe(plain);
  });

  it('reads no console if something else failed', async () => {
    const world = cannedWorld({ events: [failure(server, 'No capacity'), start], consoles });
    await readHistory(cannedRegion(world), { arn: 'arn:stack' });
    expect(world.calls).toEqual(['describeStackEvents']);
  });
});
