import { describe, expect, it } from 'vitest';
import { observe } from '../../../src/vendors/alicloud/observe.ts';
import { events, listed, regionWith, row, stack } from './ros-world.ts';

const failed = { Code: 'QuotaExceeded.Vpc', Message: 'VPC quota exceeded.', LogicalResourceId: 'VPC' };

describe('a stack that ROS undoes', () => {
  it('after a failed creation shows the cause, how far the undoing is, and the events so far', async () => {
    const region = regionWith({
      ListStacks: listed({ ...row('CREATE_ROLLBACK_IN_PROGRESS'), OperationInfo: failed }),
      GetStack: () => ({ Parameters: [{ ParameterKey: 'AlmanacVersion', ParameterValue: 'v1' }] }),
      ListStackEvents: events(
        ['stack', 'CREATE_IN_PROGRESS'],
        ['Group', 'CREATE_COMPLETE'],
        ['VPC', 'CREATE_FAILED'],
        ['stack', 'CREATE_ROLLBACK_IN_PROGRESS'],
        ['VPC', 'DELETE_COMPLETE'],
      ),
    });
    expect(await observe(region, stack)).toMatchObject({
      kind: 'busy',
      doing: 'apply',
      version: 'v1',
      undoing: {
        cause: expect.stringMatching(/^VPC .*VPC quota exceeded/) as string,
        progress: { done: 1, of: 2 },
      },
      view: { events: { length: 5, 0: { version: 'v1' } } },
    });
  });

  it('after a failed update counts what is changed back and made again, under the version that failed', async () => {
    const region = regionWith({
      ListStacks: listed(row('ROLLBACK_IN_PROGRESS', 'v2')),
      ListStackEvents: events(
        ['stack', 'UPDATE_IN_PROGRESS'],
        ['Cache', 'DELETE_COMPLETE'],
        ['VPC', 'UPDATE_COMPLETE'],
        ['Group', 'UPDATE_FAILED'],
        ['stack', 'ROLLBACK_IN_PROGRESS'],
        ['Cache', 'CREATE_COMPLETE'],
        ['VPC', 'UPDATE_IN_PROGRESS'],
      ),
    });
    expect(await observe(region, stack)).toMatchObject({
      kind: 'busy',
      version: 'v2',
      undoing: { cause: expect.stringMatching(/^Group/) as string, progress: { done: 1, of: 3 } },
    });
  });

  it.each(['CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS'])(
    'is not undone in %s, and its events are not read',
    async (status) => {
      const region = regionWith({ ListStacks: listed(row(status, 'v2')) });
      expect(await observe(region, stack)).not.toHaveProperty('undoing');
      expect(region.sent).not.toContain('ListStackEvents');
    },
  );
});
