import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import type { Release } from '../../../../src/vendors/data.ts';
import { notBegun, Unreachable } from '../../../../src/vendors/vendor.ts';
import { documentWith } from '../document-with.ts';
import { FakeHeat } from '../fake-heat.ts';
import { released } from './release.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const trove = 'OS::Trove::Instance';
const nova = 'OS::Nova::Server';
const metadata = { almanac_cache_engine: 'redis', almanac_cache_node: '0' };

const documents = {
  Databasemain: documentWith({ Databasemain: { type: trove, properties: { size: 20 } } }),
  Redis0Ofsessions: documentWith({ Redis0Ofsessions: { type: nova, properties: { metadata } } }),
};

/** A cancelled update began to replace the database old by one in this state. Heat dropped the events about old. */
function heatWith(status: string): FakeHeat {
  const heat = new FakeHeat();
  heat.template = documents.Databasemain.template;
  heat.add('Databasemain', trove, status);
  heat.databases = { old: 20, 'id-of-Databasemain': 20 };
  heat.status = 'UPDATE_FAILED';
  heat.reason = 'Stack UPDATE cancelled';
  heat.forgets = true;
  return heat;
}

const apply = (heat: FakeHeat, releases: readonly Release[] = [], document = documents.Databasemain) =>
  heat.driver('openstack').apply(stack, { document, version: 'v3', agentToken: new Secret('t'), releases });
const rulesIn = ({ updates }: FakeHeat) => updates[0]?.environment?.resource_registry?.resources ?? {};
const kept = { Databasemain: { restricted_actions: 'replace' } };

describe('a database that a cancelled update was to replace, if Heat dropped the events about it', () => {
  it('is not deleted: the update is refused, and names both, of which a person keeps one', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    const answer = await apply(heat);
    expect(answer).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('Databasemain, id-of-Databasemain and old,'),
    });
    expect(heat.updates).toEqual([]);
    expect(heat.statusOf('Databasemain')).toBe('CREATE_COMPLETE');
  });

  it('is returned to once the new one was deleted by hand', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.databases = { old: 20 };
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CHECK_FAILED');
    expect(rulesIn(heat)).toEqual(kept);
  });

  it('gives way to the new one once it was deleted by hand', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.databases = { 'id-of-Databasemain': 20 };
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CREATE_COMPLETE');
    expect(rulesIn(heat)).toEqual(kept);
  });

  it('is waited for and kept while the new one is not complete, and its deletion must be asked for', async () => {
    const heat = heatWith('CREATE_IN_PROGRESS');
    expect(await apply(heat)).toEqual(notBegun);
    heat.resources[0]!.resource_status = 'CREATE_FAILED';
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual(kept);
    expect(await heat.driver().remove(stack, { releases: [], intent: 'delete 1' })).toMatchObject({
      accepted: false,
    });
  });

  it('is replaced if that is confirmed', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    expect(await apply(heat, released('delete', 'Databasemain'))).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual({});
  });

  it('is found as well if it is the server of a Redis cache', async () => {
    const heat = heatWith('CREATE_COMPLETE');
    heat.resources = [];
    heat.add('Redis0Ofsessions', nova, 'CREATE_COMPLETE');
    heat.name = 'mo-1-sessions-0';
    heat.servers = ['old', 'id-of-Redis0Ofsessions'];
    expect(await apply(heat, [], documents.Redis0Ofsessions)).toMatchObject({ accepted: false });
    expect(heat.updates).toEqual([]);
  });
});

describe('a database of the same name', () => {
  it('does not count if Heat has all events of the stack: an engine that was killed left it', async () => {
    const heat = heatWith('CREATE_FAILED');
    heat.forgets = false;
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual({});
  });

  it('does not count if the events tell that it was never complete', async () => {
    const heat = heatWith('CREATE_FAILED');
    heat.older = [{ resource_status: 'CREATE_FAILED', physical_resource_id: 'old' }];
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual({});
  });

  it('is not ruled out by a proxy that answers for the events', async () => {
    const heat = heatWith('CREATE_FAILED');
    heat.page = '<html><h1>404 Not Found</h1></html>';
    heat.proxied = /events/;
    await expect(apply(heat)).rejects.toThrow(Unreachable);
    expect(heat.updates).toEqual([]);
  });
});
