import { describe, expect, it } from 'vitest';
import { dialects } from '../../../../src/vendors/openstack/dialect.ts';
import { observe } from '../../../../src/vendors/openstack/observe.ts';
import { makeRegion } from '../../../../src/vendors/openstack/region.ts';
import { FakeCloud } from '../fake-cloud.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

type Happened = [resource: string, status: string, reason?: string];

/** What is observed of a stack in this status, with these events, oldest first; `mo-1` is the stack itself. */
function observed(status: string, happened: Happened[] = []) {
  const cloud = new FakeCloud();
  const now = new Date(cloud.clock.now()).toISOString();
  const row = {
    id: 'h1',
    stack_name: 'mo-1',
    stack_status: status,
    stack_status_reason: 'Stack ROLLBACK started',
    creation_time: now,
    updated_time: now,
    tags: ['almanac', 'version=v2'],
  };
  const events = happened.map(([resource, state, reason = ''], index) => ({
    id: `e${index}`,
    event_time: now,
    resource_name: resource,
    physical_resource_id: resource === 'mo-1' ? 'h1' : `id-of-${resource}`,
    resource_status: state,
    resource_status_reason: reason,
  }));
  cloud.answers = ({ path }) => ({
    body: path.includes('/stacks?')
      ? { stacks: [row] }
      : { stack: row, resources: [], events: events.toReversed(), servers: [], volumes: [], instances: [] },
  });
  const parts = { client: cloud.client(), clock: cloud.clock, dialect: dialects.openstack, pollMs: 5000 };
  return observe(makeRegion(parts), stack);
}

const update: Happened[] = [
  ['mo-1', 'UPDATE_IN_PROGRESS'],
  ['Server', 'CREATE_FAILED', 'No room.'],
  ['Network', 'UPDATE_COMPLETE'],
];
const undoing: Happened[] = [
  ['mo-1', 'ROLLBACK_IN_PROGRESS'],
  ['Server', 'DELETE_COMPLETE'],
];

describe('a stack that Heat undoes', () => {
  it('shows why the update failed, in the words of the stack, how far the undoing is, and the events so far', async () => {
    const failed: Happened = ['mo-1', 'UPDATE_FAILED', 'Resource UPDATE failed: resources.Server: No room.'];
    expect(await observed('ROLLBACK_IN_PROGRESS', [...update, failed, ...undoing])).toMatchObject({
      kind: 'busy',
      doing: 'apply',
      version: 'v2',
      undoing: {
        cause: 'Resource UPDATE failed: resources.Server: No room.',
        progress: { done: 1, of: 2 },
      },
      view: { events: { length: 6 } },
    });
  });

  it('shows the first resource that failed if the stack itself does not say why', async () => {
    expect(await observed('ROLLBACK_IN_PROGRESS', [...update, ...undoing])).toMatchObject({
      undoing: { cause: 'Server: No room.' },
    });
  });

  it('is not undone while it is updated', async () => {
    const seen = await observed('UPDATE_IN_PROGRESS', update);
    expect(seen).toMatchObject({ kind: 'busy' });
    expect(seen).not.toHaveProperty('undoing');
  });
});
