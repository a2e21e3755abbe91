import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/basics/secret.ts';
import { notBegun } from '../../../../src/vendors/vendor.ts';
import { documentWith } from '../document-with.ts';
import { FakeHeat } from '../fake-heat.ts';
import { released } from './release.ts';

const stack = { id: 'mo-1', region: 'RegionOne', accountId: 'a1' };
const trove = 'OS::Trove::Instance';
const ofSize = (size: number) => documentWith({ Databasemain: { type: trove, properties: { size } } });

/** A stack with a database, in progress since now, and its driver. */
function heatIn(status: string, ofDatabase: string) {
  const heat = new FakeHeat();
  heat.template = ofSize(50).template;
  heat.add('Databasemain', trove, ofDatabase);
  heat.databases = { 'id-of-Databasemain': 20 };
  heat.status = status;
  return { heat, driver: heat.driver() };
}
/** The default time limit of Heat, and the time after which an engine counts as lost. */
const lostMs = 70 * 60_000;

describe('a stack whose engine of Heat is gone', () => {
  it('goes back to the size that its database has, if the engine was enlarging it', async () => {
    const { heat, driver } = heatIn('UPDATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS');
    const request = { document: ofSize(20), version: 'v3', agentToken: new Secret('t') };
    expect(await driver.apply(stack, request)).toEqual(notBegun);
    heat.clock.advance(lostMs);
    expect(await driver.apply(stack, request)).toEqual({ accepted: true });
    expect(heat.updates[0]?.environment?.resource_registry?.resources).toEqual({
      Databasemain: { restricted_actions: 'replace' },
    });
  });

  it.each([
    ['creation', 'CREATE_IN_PROGRESS', 'CREATE_COMPLETE'],
    ['deletion, which someone started outside Almanac', 'DELETE_IN_PROGRESS', 'CREATE_COMPLETE'],
  ])('during its %s, keeps its database unless its deletion is asked for', async (_, status, held) => {
    const { heat, driver } = heatIn(status, held);
    heat.clock.advance(lostMs);
    expect(await driver.remove(stack, { releases: [], intent: 'one' })).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('the data of Databasemain'),
    });
    expect(heat.requests).toEqual([]);
    expect(
      await driver.remove(stack, { releases: released('delete', 'Databasemain'), intent: 'two' }),
    ).toEqual({ accepted: true });
    expect(heat.requests).toEqual(['DELETE ""']);
  });
});
