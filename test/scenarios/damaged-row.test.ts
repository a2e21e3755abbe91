import { afterEach, beforeEach, expect, it } from 'vitest';
import { World } from '../world.ts';
import { ObservedServer } from './faults.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

it('a damaged row is an internal error of its stack, logged without its content, and delays no other stack', async () => {
  const server = new ObservedServer();
  const damaged = await world.create();
  const other = await world.create();
  await world.database.query
    .updateTable('stacks')
    .set({ view: 'hunter2' })
    .where('id', '=', damaged)
    .execute();
  const loop = server.loop(world.service);
  for (let round = 0; round < 20; round += 1) {
    await loop.runDue();
    world.clock.advance(5000);
  }
  const found = await world.database.query
    .selectFrom('stacks')
    .select(['status_reason', 'lease_owner'])
    .where('id', '=', damaged)
    .executeTakeFirstOrThrow();
  expect(found.status_reason).toMatch(/^Internal error while working on this stack/);
  expect(found.lease_owner).toBe('');
  expect(server.logLines[0]).toMatchObject({ stack_id: damaged });
  expect(JSON.stringify(server.logLines)).not.toContain('hunter2');
  expect(await world.describe(other)).toMatchObject({ status: 'CREATE_COMPLETE' });
});
