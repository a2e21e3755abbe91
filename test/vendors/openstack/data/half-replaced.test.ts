import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import type { Release } from '../../../../src/vendors/data.ts';
import type { OpenStackDocument } from '../../../../src/vendors/openstack/document.ts';
import { notBegun } from '../../../../src/vendors/vendor.ts';
import { documentWith } from '../document-with.ts';
import { FakeHeat, type Update } from '../fake-heat.ts';
import { released } from './release.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const trove = 'OS::Trove::Instance';

const documentOf = (engine: string, size = 20): OpenStackDocument =>
  documentWith({ Databasemain: { type: trove, properties: { size, datastore_type: engine } } });

/** An update of the stack began to replace the database old by one in this state, which Heat lists. */
function heatWith(status: string, [ofStack, reason = '']: readonly [string, string?]): FakeHeat {
  const heat = new FakeHeat();
  heat.template = documentOf('postgresql', 50).template;
  heat.add('Databasemain', trove, status);
  heat.databases = { 'id-of-Databasemain': 50, old: 20 };
  heat.older = [{ resource_status: 'UPDATE_COMPLETE', physical_resource_id: 'old' }];
  heat.status = ofStack;
  heat.reason = reason;
  return heat;
}
const cancelled = ['UPDATE_FAILED', 'Stack UPDATE cancelled'] as const;

const apply = (heat: FakeHeat, releases: readonly Release[] = [], driver = heat.driver('openstack')) =>
  driver.apply(stack, {
    document: documentOf('mysql'),
    version: 'v3',
    agentToken: new Secret('t'),
    releases,
  });
const removal = (heat: FakeHeat) =>
  heat.driver('openstack').remove(stack, { releases: [], intent: 'delete 1' });
const rulesOf = (update: Update | undefined) => update?.environment?.resource_registry?.resources ?? {};
const rulesIn = ({ updates }: FakeHeat) => rulesOf(updates[0]);
const kept = { Databasemain: { restricted_actions: 'replace' } };

describe('a database that an update began to replace', () => {
  it.each(['CREATE_IN_PROGRESS', 'CREATE_FAILED', 'INIT_COMPLETE'])(
    'is kept by the next update while the new one is in state %s, and its deletion must be asked for',
    async (status) => {
      const heat = heatWith(status, ['UPDATE_FAILED', 'Other: it failed']);
      expect(await apply(heat)).toEqual({ accepted: true });
      expect(rulesIn(heat)).toEqual(kept);
      expect(heat.statusOf('Databasemain')).toBe(status);
      expect(await removal(heat)).toMatchObject({
        accepted: false,
        reason: expect.stringContaining('data=delete'),
      });
    },
  );

  it('is returned to after a cancelled update once Heat has made the new one, which is marked so that Heat prefers the old one', async () => {
    const heat = heatWith('CREATE_IN_PROGRESS', cancelled);
    expect(await apply(heat)).toEqual(notBegun);
    heat.resources[0]!.resource_status = 'CREATE_COMPLETE';
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CHECK_FAILED');
    expect(rulesIn(heat)).toEqual(kept);
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CHECK_FAILED');
  });

  it('is returned to again if the way back failed elsewhere: the new one is never called well, so Heat goes on preferring the old one', async () => {
    const heat = heatWith('CREATE_COMPLETE', cancelled);
    expect(await apply(heat)).toEqual({ accepted: true });
    heat.status = 'UPDATE_FAILED';
    heat.reason = 'Resource UPDATE failed: Conflict: resources.Other: in use';
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CHECK_FAILED');
    expect(heat.updates.map(rulesOf)).toEqual([kept, kept]);
    expect(await removal(heat)).toMatchObject({ accepted: false });
  });

  it('that is gone by then does not make the cancelled new one count: Heat may make another', async () => {
    const heat = heatWith('CREATE_COMPLETE', cancelled);
    await apply(heat);
    heat.reason = 'Resource UPDATE failed: Conflict: resources.Other: in use';
    heat.databases = { 'id-of-Databasemain': 50 };
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(heat.statusOf('Databasemain')).toBe('CHECK_FAILED');
    expect(heat.updates.map(rulesOf)).toEqual([kept, {}]);
  });

  it('counts with its own size while the deletion of the new one fails, as Trove refuses it during a build', async () => {
    const heat = heatWith('DELETE_FAILED', ['UPDATE_FAILED', 'Instance new is not ready. (Status is BUILD)']);
    expect(await apply(heat)).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual(kept);
    expect(heat.statusOf('Databasemain')).toBe('DELETE_FAILED');
  });

  it('is not waited for without end: if the engine of Heat that made the new one is gone, the update is refused with the way out', async () => {
    const heat = heatWith('CREATE_IN_PROGRESS', cancelled);
    const driver = heat.driver('openstack');
    expect(await apply(heat, [], driver)).toEqual(notBegun);
    heat.clock.advance(60 * 60_000);
    expect(await apply(heat, [], driver)).toEqual(notBegun);
    heat.clock.advance(10 * 60_000);
    expect(await apply(heat, [], driver)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('heat-manage reset_stack_status h1'),
    });
    expect(heat.updates).toEqual([]);
    expect(heat.statusOf('Databasemain')).toBe('CREATE_IN_PROGRESS');
    // As that command does it.
    heat.resources[0]!.resource_status = 'CREATE_FAILED';
    expect(await apply(heat, [], driver)).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual(kept);
  });

  it('is returned to by an update during the one that replaces it, which is stopped first', async () => {
    const heat = heatWith('CREATE_IN_PROGRESS', ['UPDATE_IN_PROGRESS']);
    expect(await apply(heat)).toEqual(notBegun);
    expect(heat.updates).toEqual([]);
    expect(heat.requests).toEqual(['POST {"cancel_without_rollback":null}']);
  });

  it('is not returned to if the update failed by itself, whatever words the reason has: the new one may be in use', async () => {
    const heat = heatWith('CREATE_COMPLETE', ['UPDATE_FAILED', 'Resource UPDATE failed: Task was cancelled']);
    heat.databases = { 'id-of-Databasemain': 20, old: 20 };
    await apply(heat);
    expect(heat.statusOf('Databasemain')).toBe('CREATE_COMPLETE');
    expect(rulesIn(heat)).toEqual(kept);
  });

  it('is replaced if that is confirmed', async () => {
    const heat = heatWith('CREATE_COMPLETE', cancelled);
    expect(await apply(heat, released('delete', 'Databasemain'))).toEqual({ accepted: true });
    expect(rulesIn(heat)).toEqual({});
    expect(heat.statusOf('Databasemain')).toBe('CREATE_COMPLETE');
  });

  it('does not count if it was deleted, by Heat or outside it', async () => {
    const deletedByHeat = heatWith('CREATE_FAILED', cancelled);
    deletedByHeat.older = ['UPDATE_COMPLETE', 'DELETE_IN_PROGRESS'].map((status) => ({
      resource_status: status,
      physical_resource_id: 'old',
    }));
    const deletedOutside = heatWith('CREATE_FAILED', cancelled);
    deletedOutside.databases = {};
    for (const heat of [deletedByHeat, deletedOutside]) {
      expect(await apply(heat)).toEqual({ accepted: true });
      expect(rulesIn(heat)).toEqual({});
    }
  });
});
