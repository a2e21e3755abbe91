import { describe, expect, it } from 'vitest';
import { observe } from '../../../../src/vendors/aws/observe.ts';
import { cannedRegion, cannedStack, cannedWorld } from '../canned-clients.ts';
import { awsError } from '../canned-groups.ts';

const stack = { id: 'mo-1', accountId: 'a1', region: 'ap-northeast-1' };
const arn = 'arn:mo-1';

type Happened = [resource: string, status: string, reason?: string];

let number = 0;
/** Newest first, as AWS returns them; given oldest first. */
const eventsOf = (token: string, happened: Happened[]): object[] =>
  happened
    .map(([resource, status, reason]) => {
      number += 1;
      return {
        EventId: String(number),
        StackId: arn,
        LogicalResourceId: resource,
        PhysicalResourceId: resource === 'stack' ? arn : `${resource}-id`,
        ResourceType: resource === 'stack' ? 'AWS::CloudFormation::Stack' : 'AWS::EC2::Thing',
        ResourceStatus: status,
        ResourceStatusReason: reason,
        ClientRequestToken: token,
      };
    })
    .toReversed();

const worldAt = (status: string, events: Happened[], reason = '') =>
  cannedWorld({
    stacks: [cannedStack('mo-1', {}, { StackStatus: status, StackStatusReason: reason })],
    events: eventsOf('almanac-update-v2-0123abcd', events),
  });
const observed = (...world: Parameters<typeof worldAt>) => observe(cannedRegion(worldAt(...world)), stack);

const creation: Happened[] = [
  ['stack', 'CREATE_IN_PROGRESS'],
  ['Network', 'CREATE_COMPLETE'],
  ['Subnet', 'CREATE_FAILED', 'Resource creation cancelled'],
  ['Gateway', 'CREATE_FAILED', 'The quota is used up.'],
  ['stack', 'ROLLBACK_IN_PROGRESS', 'The following resource(s) failed to create: [Gateway].'],
  ['Gateway', 'DELETE_COMPLETE'],
];
const update: Happened[] = [
  ['stack', 'UPDATE_IN_PROGRESS'],
  ['Network', 'UPDATE_FAILED', 'The address is in use.'],
  ['stack', 'UPDATE_ROLLBACK_IN_PROGRESS'],
];

describe('a stack that CloudFormation undoes (CloudFormation is a fake)', () => {
  it('shows the first failure that is not a consequence, how far the undoing is, and the events so far', async () => {
    expect(await observed('ROLLBACK_IN_PROGRESS', creation)).toMatchObject({
      kind: 'busy',
      doing: 'apply',
      version: 'v2',
      undoing: { cause: 'Gateway (AWS::EC2::Thing): The quota is used up.', progress: { done: 1, of: 3 } },
      view: { events: { length: creation.length } },
    });
  });

  it.each(['UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS'])(
    'is undone in %s: until the end, what the update made is removed',
    async (status) => {
      expect(await observed(status, [...update, ['Network', 'UPDATE_COMPLETE']])).toMatchObject({
        kind: 'busy',
        undoing: {
          cause: 'Network (AWS::EC2::Thing): The address is in use.',
          progress: { done: 1, of: 1 },
        },
      });
    },
  );

  it('has the reason of the stack as its cause if only consequences are known', async () => {
    const [start, network, cancelled, , undoing] = creation as [
      Happened,
      Happened,
      Happened,
      Happened,
      Happened,
    ];
    const seen = await observed(
      'ROLLBACK_IN_PROGRESS',
      [start, network, cancelled, undoing],
      'The creation timed out.',
    );
    expect(seen).toMatchObject({ undoing: { cause: 'The creation timed out.' } });
  });

  it.each(['CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'])(
    'is not undone in %s, and its events are not read',
    async (status) => {
      const world = worldAt(status, update);
      const seen = await observe(cannedRegion(world), stack);
      expect(seen).toMatchObject({ kind: 'busy' });
      expect(seen).not.toHaveProperty('undoing');
      expect(world.calls).not.toContain('describeStackEvents');
    },
  );

  it('that is deleted in this moment is still busy', async () => {
    const world = worldAt('ROLLBACK_IN_PROGRESS', creation, 'It failed.');
    world.refusals['describeStackEvents'] = awsError('ValidationError', 'Stack does not exist', 400);
    expect(await observe(cannedRegion(world), stack)).toMatchObject({
      kind: 'busy',
      undoing: { cause: 'It failed.' },
    });
  });
});
