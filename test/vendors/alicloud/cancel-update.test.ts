import { describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../../src/vendors/alicloud/act/cancel-update.ts';
import { Unreachable } from '../../../src/vendors/vendor.ts';
import { events, listed, type Replies, regionWith, reject, row, stack } from './ros-world.ts';

const start: [string, string] = ['stack', 'UPDATE_IN_PROGRESS'];
const removal: [string, string] = ['Databaseapp', 'DELETE_COMPLETE'];
const undoing: [string, string] = ['stack', 'ROLLBACK_IN_PROGRESS'];
const cancel = async (replies: Replies) => {
  const region = regionWith(replies);
  return { answer: await cancelUpdate(region, stack, 'v2'), sent: region.sent };
};

describe('cancelling an update', () => {
  it('cancels the running update if its note is missing: it may be the one', async () => {
    const { answer, sent } = await cancel({
      ListStacks: listed(row('UPDATE_IN_PROGRESS')),
      ListStackEvents: events(start),
    });
    expect(answer).toEqual({ cancelled: true });
    expect(sent).toContain('CancelUpdateStack');
  });

  it('leaves the running update to another version alone', async () => {
    const { answer, sent } = await cancel({ ListStacks: listed(row('UPDATE_IN_PROGRESS', 'v3')) });
    expect(answer).toEqual({ cancelled: true });
    expect(sent).not.toContain('CancelUpdateStack');
  });

  it.each(['v2', undefined])(
    'is too late once an update that is undone has removed something (noted version: %s)',
    async (tried) => {
      for (const status of [
        'ROLLBACK_IN_PROGRESS',
        'ROLLBACK_COMPLETE',
        'ROLLBACK_FAILED',
        'UPDATE_FAILED',
      ]) {
        const { answer } = await cancel({
          ListStacks: listed(row(status, tried)),
          ListStackEvents: events(start, removal, undoing, ['Databaseapp', 'CREATE_COMPLETE']),
        });
        expect(answer, status).toMatchObject({
          cancelled: false,
          reason: expect.stringContaining('Databaseapp') as string,
        });
      }
    },
  );

  it('stays cancelled while ROS deletes what the update had made', async () => {
    const { answer } = await cancel({
      ListStacks: listed(row('ROLLBACK_IN_PROGRESS', 'v2')),
      ListStackEvents: events(start, ['Databaseapp', 'CREATE_COMPLETE'], undoing, removal),
    });
    expect(answer).toEqual({ cancelled: true });
  });

  it('is not reported if ROS does not cancel and the update goes on', async () => {
    for (const code of ['NotSupported', 'InvalidAction.NotFound'])
      await expect(
        cancel({
          ListStacks: listed(row('UPDATE_IN_PROGRESS', 'v2')),
          ListStackEvents: events(start),
          CancelUpdateStack: reject(code),
        }),
      ).rejects.toThrow(Unreachable);
  });
});
