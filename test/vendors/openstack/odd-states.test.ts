import { describe, expect, it } from 'vitest';
import { apply } from '../../../src/vendors/openstack/act/apply.ts';
import type { OpenStackApplyRequest } from '../../../src/vendors/openstack/act/requests.ts';
import { dialects } from '../../../src/vendors/openstack/dialect.ts';
import { listDatabases } from '../../../src/vendors/openstack/observe/list-databases.ts';
import { listServers } from '../../../src/vendors/openstack/observe/list-servers.ts';
import { readByName } from '../../../src/vendors/openstack/observe/list-stacks.ts';
import { observe } from '../../../src/vendors/openstack/observe.ts';
import { makeRegion, type Region } from '../../../src/vendors/openstack/region.ts';
import { FakeCloud } from './fake-cloud.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };

/** A cloud with these stacks. */
class CloudWithStacks extends FakeCloud {
  stacks: object[] = [];
  description = '';

  override answers: FakeCloud['answers'] = ({ path }) =>
    path.includes('/stacks?')
      ? { body: { stacks: this.stacks } }
      : { body: { stack: { description: this.description, timeout_mins: 1 }, resources: [], events: [] } };

  region(dialect: keyof typeof dialects = 'openstack'): Region {
    return makeRegion({
      client: this.client(),
      clock: this.clock,
      dialect: dialects[dialect],
      pollMs: 5000,
    });
  }

  row(id: string, status: string, more: { minutesAgo?: number; reason?: string; tags?: null } = {}) {
    const { minutesAgo = 60, reason = '', tags = ['almanac', 'version=v1'] } = more;
    return {
      id,
      stack_name: 'mo-1',
      stack_status: status,
      stack_status_reason: reason,
      creation_time: id === 'h1' ? '2020-01-01T00:00:00Z' : '2020-01-01T00:00:01Z',
      updated_time: new Date(this.clock.now() - minutesAgo * 60_000).toISOString(),
      tags,
    };
  }
}

describe('a stack that was deleted outside Almanac', () => {
  it('and whose database is busy can only be removed, which is said with what to do', async () => {
    const cloud = new CloudWithStacks();
    const reason = 'Resource DELETE failed: Instance fd09 is not ready. (Status is BACKUP).';
    cloud.stacks = [cloud.row('h1', 'DELETE_FAILED', { reason })];
    expect(await observe(cloud.region(), stack)).toMatchObject({
      kind: 'unfinished',
      doing: 'remove',
      lookAgainMs: 5000,
      onlyRemove: expect.stringMatching(/outside Almanac.*not ready.*then delete the stack/),
    });
  });
});

describe('a twin whose deletion failed', () => {
  const seen = async (status: string, minutesAgo: number) => {
    const cloud = new CloudWithStacks();
    cloud.stacks = [cloud.row('h1', status), cloud.row('h2', 'DELETE_FAILED', { minutesAgo })];
    return observe(cloud.region(), stack);
  };

  it('is deleted again after five minutes, not at once', async () => {
    expect(await seen('CREATE_COMPLETE', 6)).toMatchObject({ kind: 'unfinished', lookAgainMs: 5000 });
    expect(await seen('CREATE_COMPLETE', 4)).toMatchObject({ kind: 'settled' });
  });

  it('does not repeat the update of a stack that failed', async () => {
    expect(await seen('UPDATE_FAILED', 6)).toMatchObject({ kind: 'broken' });
  });
});

describe('an update that failed on a cloud without tags', () => {
  it('gets one attempt: the cloud still names the version before', async () => {
    const cloud = new CloudWithStacks();
    cloud.description = 'Almanac stack (version v1)';
    cloud.stacks = [cloud.row('h1', 'UPDATE_FAILED', { tags: null })];
    expect(await observe(cloud.region('k5'), stack)).toMatchObject({
      kind: 'broken',
      version: 'v1',
      blocked: true,
    });
    cloud.stacks = [cloud.row('h1', 'UPDATE_FAILED')];
    expect(await observe(cloud.region(), stack)).toMatchObject({ kind: 'broken', blocked: false });
  });
});

describe('a suspension that an engine lost', () => {
  it('is resumed, because Heat updates no such stack', async () => {
    const cloud = new CloudWithStacks();
    cloud.stacks = [cloud.row('h1', 'SUSPEND_IN_PROGRESS')];
    const answer = await apply(cloud.region(), stack, { version: 'v1' } as OpenStackApplyRequest);
    expect(answer).toMatchObject({ accepted: true });
    expect(cloud.asked.filter(({ method, path }) => method !== 'GET' && path.startsWith('/heat'))).toEqual([
      expect.objectContaining({ path: '/heat/stacks/mo-1/h1/actions', body: { resume: null } }),
    ]);
  });
});

describe('a check, a snapshot, a suspension or an update outside Almanac after an update', () => {
  /** A stack in a status, with the results that its last operations had, oldest first. */
  const cloudWith = (status: string, results: readonly string[]): CloudWithStacks => {
    const cloud = new CloudWithStacks();
    cloud.stacks = [cloud.row('h1', status)];
    const events = results.map((result, index) => ({
      id: `e${index}`,
      event_time: '2026-01-01T00:00:00Z',
      resource_name: 'mo-1',
      physical_resource_id: 'h1',
      resource_status: result,
      resource_status_reason: result === 'UPDATE_FAILED' ? 'No valid host was found.' : '',
    }));
    const others = cloud.answers;
    cloud.answers = (asked) =>
      asked.path.includes('/events?') ? { body: { events: events.toReversed() } } : others(asked);
    return cloud;
  };
  const rolledBack = ['UPDATE_IN_PROGRESS', 'UPDATE_FAILED', 'ROLLBACK_IN_PROGRESS', 'ROLLBACK_COMPLETE'];
  const checked = ['CHECK_IN_PROGRESS', 'CHECK_COMPLETE'];
  const resumed = ['SUSPEND_IN_PROGRESS', 'SUSPEND_COMPLETE', 'RESUME_IN_PROGRESS', 'RESUME_COMPLETE'];

  it.each([
    ['CHECK_COMPLETE', [...rolledBack, ...checked]],
    ['CHECK_FAILED', [...rolledBack, 'CHECK_IN_PROGRESS', 'CHECK_FAILED']],
    ['RESUME_COMPLETE', [...rolledBack, ...resumed]],
    ['SNAPSHOT_COMPLETE', ['UPDATE_IN_PROGRESS', 'UPDATE_FAILED', 'SNAPSHOT_COMPLETE']],
  ])('that failed does not hide the failure: %s', async (status, results) => {
    expect(await observe(cloudWith(status, results).region(), stack)).toMatchObject({
      kind: 'broken',
      version: 'v1',
      reason: expect.stringContaining('No valid host was found'),
    });
  });

  it.each([
    ['CHECK_COMPLETE', ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE', ...checked]],
    ['CHECK_FAILED', ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE', 'CHECK_IN_PROGRESS', 'CHECK_FAILED']],
    ['RESUME_COMPLETE', ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE', ...resumed]],
    ['CHECK_COMPLETE', []],
  ])('that succeeded leaves the stack complete: %s %j', async (status, results) => {
    expect(await observe(cloudWith(status, results).region(), stack)).toMatchObject({
      kind: 'settled',
      version: 'v1',
    });
  });

  it.each(['UPDATE_COMPLETE', 'RESTORE_COMPLETE', 'CHECK_COMPLETE'])(
    'does not make a stack complete whose template is that of another version: %s',
    async (status) => {
      const cloud = cloudWith(status, []);
      cloud.description = 'shop (version v0)';
      expect(await observe(cloud.region(), stack)).toMatchObject({
        kind: 'broken',
        version: 'v1',
        reason: expect.stringContaining('it has version v0'),
      });
      cloud.description = 'shop (version v1)';
      expect(await observe(cloud.region(), stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    },
  );

  it('that failed does not stop the next attempt', async () => {
    const cloud = cloudWith('CHECK_COMPLETE', [...rolledBack, ...checked]);
    const request = {
      version: 'v1',
      document: { template: { description: '', resources: {} }, files: {}, secrets: { publicKeysOf: [] } },
    } as unknown as OpenStackApplyRequest;
    expect(await apply(cloud.region(), stack, request)).toMatchObject({ accepted: true });
    expect(cloud.asked.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });
});

describe('lists of a cloud', () => {
  it('a stack is found on a later page if Heat does not filter by name', async () => {
    const cloud = new FakeCloud();
    const rows = Array.from({ length: 700 }, (_, index) => ({
      id: `h${index}`,
      stack_name: `mo-${index}`,
      stack_status: 'CREATE_COMPLETE',
      creation_time: '2026-01-01T00:00:00Z',
      tags: ['almanac', 'version=v1'],
    }));
    cloud.answers = ({ path }) => {
      const marker = new URLSearchParams(path.split('?')[1]).get('marker');
      const start = rows.findIndex(({ id }) => id === marker) + 1;
      return { body: { stacks: rows.slice(start, start + 500) } };
    };
    expect((await readByName(cloud.client(), 'mo-699'))?.heatId).toBe('h699');
    expect(await readByName(cloud.client(), 'mo-700')).toBeUndefined();
  });

  it('end if the cloud answers every marker with the first page', async () => {
    const cloud = new FakeCloud();
    cloud.services = ['compute', 'database'];
    const servers = Array.from({ length: 1000 }, (_, index) => ({
      id: `s${index}`,
      status: 'ACTIVE',
      created: '2026-01-01T00:00:00Z',
      metadata: { almanac_stack: 'mo-1' },
    }));
    const instances = [{ id: 'd1', name: 'mo-1-db', status: 'ACTIVE' }];
    let requests = 0;
    cloud.answers = () => {
      requests += 1;
      if (requests > 20) throw new Error('The list does not end.');
      return { body: { servers, instances, links: [{ rel: 'next' }], flavors: [{ id: 'f', name: 'm1' }] } };
    };
    expect((await listServers(cloud.client())).get('mo-1')?.instances).toHaveLength(1000);
    expect(await listDatabases(cloud.client())).toHaveLength(1);
  });
});
