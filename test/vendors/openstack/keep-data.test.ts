import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import type { Release } from '../../../src/vendors/data.ts';
import type { OpenStackDocument, TemplateResource } from '../../../src/vendors/openstack/document.ts';
import { notBegun, Unreachable } from '../../../src/vendors/vendor.ts';
import { released } from './data/release.ts';
import { documentWith } from './document-with.ts';
import { FakeHeat, type Update } from './fake-heat.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const trove = 'OS::Trove::Instance';
const nova = 'OS::Nova::Server';

const other = (value: string): TemplateResource => ({
  type: 'OS::Neutron::Net',
  properties: { name: value },
});
const database = (size: number, version = '8.0'): TemplateResource => ({
  type: trove,
  properties: { size, datastore_version: version },
});
const redis: TemplateResource = {
  type: nova,
  properties: { metadata: { almanac_cache_engine: 'redis', almanac_cache_node: '0' } },
};
const small = documentWith({ Databasemain: database(20), Other: other('x') });
const harmless = documentWith({ Databasemain: database(20), Other: other('y') });
const large = documentWith({ Databasemain: database(50), Other: other('x') });

/** A stack with a database of this state, made from a document. */
function heatWith(status: string, { template } = small, gib = 20): FakeHeat {
  const heat = new FakeHeat();
  heat.template = template;
  heat.add('Databasemain', trove, status);
  heat.databases = { 'id-of-Databasemain': gib };
  return heat;
}

const apply = (heat: FakeHeat, document: OpenStackDocument, releases: readonly Release[] = []) =>
  heat
    .driver(document.dialect)
    .apply(stack, { document, version: 'v2', agentToken: new Secret('t'), releases });

const keptIn = (update: Update | undefined): string[] =>
  Object.entries(update?.environment?.resource_registry?.resources ?? {})
    .filter(([, rule]) => rule.restricted_actions === 'replace')
    .map(([name]) => name);

describe('an update', () => {
  it('forbids Heat to replace databases and Redis caches', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.add('Redis0Ofsessions', nova, 'CREATE_COMPLETE');
    heat.servers = ['id-of-Redis0Ofsessions'];
    const document = documentWith({ ...small.template.resources, Redis0Ofsessions: redis, New: database(1) });
    expect(await apply(heat, document)).toEqual({ accepted: true });
    expect(keptIn(heat.updates[0])).toEqual(['Databasemain', 'Redis0Ofsessions', 'New']);
  });

  it('lets Heat replace a database only if that was confirmed for this version', async () => {
    const newer = documentWith({ Databasemain: database(20, '8.4') });
    const refusedByHeat = heatWith('CREATE_COMPLETE');
    await apply(refusedByHeat, newer);
    expect(keptIn(refusedByHeat.updates[0])).toEqual(['Databasemain']);
    const confirmed = heatWith('CREATE_COMPLETE');
    await apply(confirmed, newer, released('delete', 'Databasemain'));
    expect(keptIn(confirmed.updates[0])).toEqual([]);
  });

  it.each([
    ['whose creation failed', 'CREATE_FAILED', 20],
    ['that was deleted outside Almanac', 'CHECK_FAILED', undefined],
  ])('lets Heat make a database again %s: it has no data', async (_, status, gib) => {
    const heat = heatWith(status);
    heat.resources[0]!.resource_status_reason = 'Instance could not be found';
    if (gib === undefined) heat.databases = {};
    await apply(heat, harmless);
    expect(keptIn(heat.updates[0])).toEqual([]);
    expect(heat.statusOf('Databasemain')).toBe(status);
  });

  it('is not sent while a proxy answers for Trove or Nova: the data may be there', async () => {
    for (const type of [trove, nova]) {
      const heat = new FakeHeat();
      heat.template = small.template;
      heat.add(type === trove ? 'Databasemain' : 'Redis0Ofsessions', type, 'CHECK_FAILED');
      heat.page = '<html><h1>404 Not Found</h1></html>';
      await expect(apply(heat, harmless)).rejects.toThrow(Unreachable);
      expect(heat.updates).toEqual([]);
    }
  });

  it.each(['UPDATE_FAILED', 'CHECK_FAILED'])(
    'first tells Heat that a database in state %s is well, because Heat would replace it',
    async (status) => {
      const heat = heatWith(status);
      expect(await apply(heat, harmless)).toEqual({ accepted: true });
      expect(heat.statusOf('Databasemain')).toBe('CHECK_COMPLETE');
      expect(heat.updates).toHaveLength(1);
    },
  );

  it('keeps a server that a check found stopped, and makes a missing one again', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.add('Instance0Ofweb', nova, 'CHECK_FAILED', "'status': expected 'ACTIVE', got 'SHUTOFF'");
    heat.add('Instance1Ofweb', nova, 'CHECK_FAILED', 'could not be found');
    heat.servers = ['id-of-Instance0Ofweb'];
    await apply(heat, harmless);
    expect(heat.statusOf('Instance0Ofweb')).toBe('CHECK_COMPLETE');
    expect(heat.statusOf('Instance1Ofweb')).toBe('CHECK_FAILED');
  });

  it('is undone by Heat after a failure only if it changes no data', async () => {
    const harmlessly = heatWith('CREATE_COMPLETE');
    await apply(harmlessly, harmless);
    expect(harmlessly.updates[0]?.disable_rollback).toBe(false);
    const grown = heatWith('CREATE_COMPLETE');
    await apply(grown, large);
    expect(grown.updates[0]?.disable_rollback).toBe(true);
    const removed = heatWith('CREATE_COMPLETE');
    await apply(removed, documentWith({ Other: other('x') }), released('delete', 'Databasemain'));
    expect(removed.updates[0]?.disable_rollback).toBe(true);
  });

  it('that would shrink a database is refused with its real size', async () => {
    const heat = heatWith('UPDATE_COMPLETE', large, 50);
    expect(await apply(heat, small)).toEqual({
      accepted: false,
      reason:
        'Databasemain has a volume of 50 GiB, which cannot shrink to 20 GiB. ' +
        'Update the stack with the same document and at least 50 GiB for it.',
    });
    expect(heat.updates).toEqual([]);
  });

  it('goes back to the size that the database still has after a failed change', async () => {
    const heat = heatWith('UPDATE_FAILED', large, 20);
    heat.status = 'UPDATE_FAILED';
    expect(await apply(heat, small)).toEqual({ accepted: true });
    expect(heat.updates).toHaveLength(1);
  });

  it('to a smaller database waits while an update enlarges it: its size is not known yet', async () => {
    const heat = heatWith('UPDATE_IN_PROGRESS', large, 20);
    heat.status = 'UPDATE_IN_PROGRESS';
    expect(await apply(heat, small)).toEqual(notBegun);
    expect(heat.updates).toEqual([]);
  });

  it('on K5, whose Heat has no mark for a healthy database, is refused after a failed change of one', async () => {
    const k5 = (size: number): OpenStackDocument => ({
      ...documentWith({
        Databasemain: { type: 'FCX::Database::DBInstance', properties: { volume: { size } } },
      }),
      dialect: 'k5',
    });
    const heat = heatWith('UPDATE_COMPLETE', k5(50));
    heat.resources[0]!.resource_type = 'FCX::Database::DBInstance';
    expect(await apply(heat, k5(20))).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('cannot shrink to 20 GiB'),
    });
    heat.resources[0]!.resource_status = 'UPDATE_FAILED';
    expect(await apply(heat, k5(60))).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('K5 would replace Databasemain by an empty one'),
    });
    expect(heat.updates).toEqual([]);
  });
});

describe('a drift check', () => {
  it.each(['ROLLBACK_COMPLETE', 'UPDATE_FAILED', 'UPDATE_IN_PROGRESS', 'SUSPEND_COMPLETE'])(
    'of a stack in state %s is refused: its end would hide that the version is not in force',
    async (status) => {
      const heat = heatWith('CREATE_COMPLETE');
      heat.status = status;
      expect(await heat.driver().startDriftCheck?.(stack)).toMatchObject({ accepted: false });
      expect(heat.requests).toEqual([]);
    },
  );
});

describe('a deletion that nobody released data for', () => {
  const remove = (heat: FakeHeat) => heat.driver().remove(stack, { releases: [], intent: 'one' });

  it('is refused if Heat has a database, whatever the tags of the stack say', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    expect(await remove(heat)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('the data of Databasemain'),
    });
    expect(heat.requests).toEqual([]);
  });

  it('is refused if Heat has the first server of a Redis cache, also after a deletion that failed', async () => {
    const heat = new FakeHeat();
    heat.status = 'DELETE_FAILED';
    heat.add('Redis0Ofsessions', nova, 'CREATE_COMPLETE');
    heat.servers = ['id-of-Redis0Ofsessions'];
    expect(await remove(heat)).toMatchObject({ accepted: false });
    expect(await apply(heat, harmless)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('the data of Redis0Ofsessions'),
    });
    expect(heat.requests).toEqual([]);
  });

  it('is refused after a failed creation if a database came up, which may be in use', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.status = 'CREATE_FAILED';
    expect(await remove(heat)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('the data of Databasemain'),
    });
    expect(heat.requests).toEqual([]);
  });

  it.each([
    ['CREATE_FAILED', 'CREATE_FAILED'],
    ['CREATE_IN_PROGRESS', 'CREATE_COMPLETE'],
  ])('goes on if the creation of the stack is %s and its database %s', async (status, held) => {
    const heat = heatWith(held);
    heat.status = status;
    expect(await remove(heat)).toEqual({ accepted: true });
    expect(heat.requests).toEqual(['DELETE ""']);
  });

  it('goes on deleting a database whose creation it stopped', async () => {
    const heat = heatWith('DELETE_FAILED');
    heat.status = 'DELETE_FAILED';
    heat.past = ['DELETE_FAILED', 'DELETE_IN_PROGRESS', 'CREATE_IN_PROGRESS'];
    expect(await remove(heat)).toEqual({ accepted: true });
    expect(heat.requests).toEqual(['DELETE ""']);
  });
});
