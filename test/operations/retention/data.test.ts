import { afterEach, beforeEach, expect, it } from 'vitest';
import { signingKeyOf } from '../../../src/operations/audit/checkpoint-key.ts';
import { deleteOldHistory } from '../../../src/operations/retention/retention.ts';
import { releasesOfStack } from '../../../src/store/data/releases.ts';
import { storesOfStack } from '../../../src/store/data/stores.ts';
import { listEvents } from '../../../src/store/stacks/events.ts';
import { mysql, withData } from '../../api/data/data-caller.ts';
import { World } from '../../world.ts';

const dayMs = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

it('the deletion of old history deletes no store of data and no release, also of stacks that are long gone', async () => {
  const { query } = world.database;
  const living = await world.create(withData({ rds: mysql }));
  const deleted = await world.create(withData({ rds: mysql }));
  await world.settle();
  await world.delete(deleted, { servers: 'replace', data: 'keep' });
  await world.settle();
  const ledger = async () => ({
    stores: [...(await storesOfStack(query, living)), ...(await storesOfStack(query, deleted))],
    releases: await releasesOfStack(query, deleted),
  });
  const before = await ledger();
  expect(before.stores.map(({ state }) => state).toSorted()).toEqual(['gone', 'in_use', 'in_use', 'kept']);
  expect(before.releases).toHaveLength(2);
  world.clock.advance(1000 * dayMs);
  const tools = { ...world.service, signingKey: () => signingKeyOf(Buffer.alloc(32, 7)) };
  const { events } = await deleteOldHistory(tools, { eventsDays: 1, auditDays: 1 });
  expect(events).toBeGreaterThan(0);
  expect(await listEvents(query, deleted, { after: 0, limit: 100 })).toHaveLength(1);
  expect(await ledger()).toEqual(before);
});
