import { describe, expect, it } from 'vitest';
import { mayDeleteLater } from '../../../src/vendors/openstack/observe/broken-reason.ts';
import { readHistory } from '../../../src/vendors/openstack/observe/events.ts';
import { stateOf } from '../../../src/vendors/openstack/observe/list-servers.ts';
import {
  type HeatStack,
  stackReader,
  withTwins,
} from '../../../src/vendors/openstack/observe/list-stacks.ts';
import { phaseOf } from '../../../src/vendors/openstack/observe/stack-phase.ts';
import { tagsFor, tagsIn } from '../../../src/vendors/openstack/observe/tags.ts';
import { FakeCloud } from './fake-cloud.ts';

const stack: HeatStack = {
  stackId: 'mo-1',
  heatId: 'h1',
  status: 'CREATE_COMPLETE',
  reason: '',
  version: 'v1',
  isTagged: true,
  createdAt: 1000,
  updatedAt: 1000,
  twins: [],
};

describe('states of Heat', () => {
  it.each([
    ['CREATE_COMPLETE', 'settled', 'apply', 'update'],
    ['UPDATE_COMPLETE', 'settled', 'apply', 'update'],
    ['CHECK_COMPLETE', 'settled', 'apply', 'update'],
    ['RESUME_COMPLETE', 'settled', 'apply', 'update'],
    ['CHECK_FAILED', 'settled', 'apply', 'again'],
    ['CREATE_IN_PROGRESS', 'busy', 'apply', 'supersede'],
    ['UPDATE_IN_PROGRESS', 'busy', 'apply', 'supersede'],
    ['ROLLBACK_IN_PROGRESS', 'busy', 'apply', 'wait'],
    ['SUSPEND_IN_PROGRESS', 'busy', 'apply', 'wait'],
    ['CREATE_FAILED', 'broken', 'apply', 'update'],
    ['UPDATE_FAILED', 'broken', 'apply', 'update'],
    ['ROLLBACK_COMPLETE', 'broken', 'apply', 'update'],
    ['ROLLBACK_FAILED', 'broken', 'apply', 'update'],
    ['SUSPEND_COMPLETE', 'broken', 'apply', 'resume'],
    ['DELETE_IN_PROGRESS', 'busy', 'remove', 'wait'],
    ['DELETE_COMPLETE', 'busy', 'remove', 'wait'],
    ['DELETE_FAILED', 'broken', 'remove', 'delete'],
    ['SOMETHING_NEW', 'busy', 'apply', 'wait'],
  ])('%s is %s (%s), and the next step is %s', (status, kind, doing, move) => {
    expect(phaseOf(status)).toEqual({ kind, doing, move });
  });

  it.each([
    ['ACTIVE', null, 'running'],
    ['ACTIVE', 'deleting', 'shutting-down'],
    ['BUILD', 'spawning', 'pending'],
    ['VERIFY_RESIZE', null, 'pending'],
    ['SHUTOFF', null, 'stopped'],
    ['ERROR', null, 'terminated'],
  ])('a server in state %s with task %s is %s', (status, task, state) => {
    expect(stateOf(status, task)).toBe(state);
  });
});

describe('failed deletions', () => {
  const failed = (reason: string) => ({ ...stack, status: 'DELETE_FAILED', reason });
  const notReady = (status: string) =>
    `Resource DELETE failed: UnprocessableEntity: resources.Databaseweb: Instance fd09 is not ready. (Status is ${status}). (HTTP 422)`;

  it.each([
    ['a database that is being built is retried', notReady('BUILD'), true],
    ['a database that is being resized is retried', notReady('RESIZE'), true],
    ['a database that failed is not', notReady('ERROR'), false],
    ['a port in use is not', 'Resource DELETE failed: Conflict: resources.sg: in use.', false],
  ])('because of %s', (_, reason, isRetried) => {
    expect(mayDeleteLater(failed(reason))).toBe(isRetried);
  });
});

describe('lists of stacks', () => {
  it('the oldest stack of a name is the stack, the others are its twins', () => {
    const younger = { ...stack, heatId: 'h0', createdAt: 2000 };
    const same = { ...stack, heatId: 'h2' };
    const found = withTwins([younger, same, stack]).get('mo-1');
    expect(found?.heatId).toBe('h1');
    expect(found?.twins.map(({ heatId }) => heatId)).toEqual(['h2', 'h0']);
  });

  it('tags carry the version', () => {
    const tags = tagsFor('mo-1', 'v1').split(',');
    expect(tags).toEqual(['almanac', 'stack=mo-1', 'version=v1']);
    expect(tagsIn(tags)).toEqual({ version: 'v1' });
  });

  const row = (id: string, more: object = {}) => ({
    id,
    stack_name: `mo-${id}`,
    stack_status: 'CREATE_COMPLETE',
    creation_time: '2026-01-01T00:00:00Z',
    tags: ['almanac', `version=v${id}`],
    ...more,
  });

  it('are read in pages of 500', async () => {
    const cloud = new FakeCloud();
    const rows = Array.from({ length: 700 }, (_, index) => row(String(index)));
    cloud.answers = ({ path }) => {
      const marker = new URLSearchParams(path.split('?')[1]).get('marker');
      const start = marker === null ? 0 : rows.findIndex(({ id }) => id === marker) + 1;
      return { body: { stacks: rows.slice(start, start + 500) } };
    };
    const listed = await stackReader(cloud.client(), true).all(() => 10);
    expect(listed?.pages).toBe(2);
    expect(listed?.values.size).toBe(700);
    expect(listed?.values.get('mo-699')?.version).toBe('v699');
  });

  it('where Heat keeps no tags, the version is in the description, which is read once for each state', async () => {
    const cloud = new FakeCloud();
    cloud.answers = ({ path }) =>
      path.includes('/stacks/')
        ? { body: { stack: row('1', { tags: null, description: 'Almanac stack (version v7)' }) } }
        : { body: { stacks: [row('1', { tags: null }), row('2', { stack_name: 'other', tags: null })] } };
    const reader = stackReader(cloud.client(), false);
    expect((await reader.all(() => 1))?.values.get('mo-1')?.version).toBe('v7');
    await reader.all(() => 1);
    expect(cloud.asked.filter(({ path }) => path.includes('/stacks/'))).toHaveLength(1);
  });
});

describe('events', () => {
  const event = (id: number, more: object = {}) => ({
    id: `e${id}`,
    event_time: '2026-01-01T00:00:00Z',
    resource_name: 'One',
    resource_status: 'UPDATE_COMPLETE',
    ...more,
  });
  const own = { physical_resource_id: 'h1', resource_name: 'mo-1' };

  const cloudWith = (newestFirst: { id: string }[], knowsMarkers = true): FakeCloud => {
    const cloud = new FakeCloud();
    cloud.answers = ({ path }) => {
      if (!path.includes('/events')) return { body: { resources: [] } };
      const marker = new URLSearchParams(path.split('?')[1]).get('marker');
      // Heat answers an unknown marker with the first page.
      const start = knowsMarkers ? newestFirst.findIndex(({ id }) => id === marker) + 1 : 0;
      return { body: { events: newestFirst.slice(start, start + 200) } };
    };
    return cloud;
  };

  it('are those of the last operation, oldest first, with the reason of the stack itself', async () => {
    const cloud = cloudWith([
      event(5, { ...own, resource_status: 'ROLLBACK_COMPLETE' }),
      event(4, { resource_status: 'DELETE_COMPLETE', resource_name: 'Two' }),
      event(3, { ...own, resource_status: 'UPDATE_FAILED', resource_status_reason: 'Two failed' }),
      event(2, { ...own, resource_status: 'UPDATE_IN_PROGRESS' }),
      event(1, { ...own, resource_status: 'CREATE_COMPLETE' }),
    ]);
    const history = await readHistory(cloud.client(), stack);
    expect(history.events.map(({ id }) => id)).toEqual(['e2', 'e3', 'e4', 'e5']);
    expect(history).toMatchObject({ reason: 'Two failed', deleted: ['Two'] });
  });

  it('are read in pages to the start of the operation', async () => {
    const newest = Array.from({ length: 450 }, (_, index) => event(1000 - index));
    newest[449] = event(1, { ...own, resource_status: 'UPDATE_IN_PROGRESS' });
    const history = await readHistory(cloudWith(newest).client(), stack);
    expect(history.events).toHaveLength(450);
  });

  it('end without repetition if the cloud no longer knows the marker', async () => {
    const newest = Array.from({ length: 450 }, (_, index) => event(1000 - index));
    const history = await readHistory(cloudWith(newest, false).client(), stack);
    expect(history.events).toHaveLength(200);
  });
});
