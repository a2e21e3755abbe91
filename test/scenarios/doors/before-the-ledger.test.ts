import { describe, expect, it } from 'vitest';
import { contentIn, inCloud, rds, settled, storesIn, template, update, useLives, world } from './lives.ts';

useLives();

/** As after an upgrade: the stack exists, and nobody has looked for its stores yet. */
async function forgetLedger(stackId: string): Promise<void> {
  const { query } = world.database;
  const { stores: _, ...view } = (await world.row(stackId)).view;
  await query.deleteFrom('data_stores').where('stack_id', '=', stackId).execute();
  await query
    .updateTable('stacks')
    .set({ view: JSON.stringify(view), next_at: 0 })
    .where('id', '=', stackId)
    .execute();
}

describe('a stack whose stores nobody has looked for yet', () => {
  it('keeps its protected database, whatever a deletion or an update says', async () => {
    const stackId = await settled(template({ rds: { ...rds, deletion_protection: true } }));
    await forgetLedger(stackId);
    const word = { data: 'delete', servers: 'replace' } as const;
    for (const request of [() => world.delete(stackId, word), () => update(stackId, template(), word)])
      await expect(request()).rejects.toMatchObject({
        message: expect.stringContaining('deletion_protection'),
      });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toHaveLength(1);
  });

  it('keeps a database that an update removes without a word about it', async () => {
    const stackId = await settled(template({ rds }));
    const before = await contentIn(stackId, 'DatabaseInstance');
    await forgetLedger(stackId);
    await update(stackId, template());
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      statusReason: expect.stringContaining('no request released'),
    });
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual(before);
  });

  it('keeps its servers with their disks until a request says servers=replace', async () => {
    const stackId = await settled(template());
    const before = await inCloud(stackId, 'Instance');
    await forgetLedger(stackId);
    world.clock.advance(60_000);
    await update(stackId, template({ provision: { instance_type: 't2.large' } }));
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_FAILED');
    expect((await inCloud(stackId, 'Instance')).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });
});

describe('servers=replace', () => {
  it('also holds for a server that exists, but that nobody had seen when the request was sent', async () => {
    const deleted = await settled(template());
    await forgetLedger(deleted);
    const updated = await settled(template());
    await forgetLedger(updated);
    world.clock.advance(60_000);
    const before = await inCloud(updated, 'Instance');
    await world.delete(deleted, { servers: 'replace' });
    await update(updated, template({ provision: { instance_type: 't2.large' } }), { servers: 'replace' });
    await world.settle();
    expect((await world.row(deleted)).status).toBe('DELETE_COMPLETE');
    expect((await world.row(updated)).status).toBe('UPDATE_COMPLETE');
    expect((await inCloud(updated, 'Instance')).map(({ id }) => id)).not.toEqual(before.map(({ id }) => id));
  });
});

describe('a stack that was never complete', () => {
  it('can be deleted while one of its servers runs already', async () => {
    const stackId = await world.create(template({ rds: { ...rds, replica: 1 } }));
    while (!(await storesIn(stackId, 'disk')).some(({ state }) => state === 'in_use'))
      await world.advance(0.5);
    world.clock.advance(1_000);
    expect((await world.describe(stackId)).status).toBe('CREATE_IN_PROGRESS');
    await world.delete(stackId, {});
    await world.settle();
    expect((await world.row(stackId)).status).toBe('DELETE_COMPLETE');
  });

  it('can be deleted even if the vendor completes it before it sees the deletion', async () => {
    const stackId = await world.create(template());
    await world.worker('one').runDue();
    while (!(await storesIn(stackId, 'disk')).some(({ state }) => state === 'in_use')) {
      world.clock.advance(500);
      await world.worker('one').runDue();
    }
    await world.database.query
      .updateTable('stacks')
      .set({ settled_version: null, status: 'CREATE_IN_PROGRESS' })
      .where('id', '=', stackId)
      .execute();
    world.clock.advance(1_000);
    await world.delete(stackId, {});
    const { desired_version: settledVersion } = await world.row(stackId);
    await world.database.query
      .updateTable('stacks')
      .set({ settled_version: settledVersion })
      .where('id', '=', stackId)
      .execute();
    await world.settle();
    expect((await world.row(stackId)).status).toBe('DELETE_COMPLETE');
  });
});

describe('a database of a complete stack that is deleted outside Almanac', () => {
  it('is lost, also if the stack was updated since it was made', async () => {
    const stackId = await settled(template({ rds }));
    await update(stackId, template({ rds, servers: 2 }));
    await world.settle();
    await world.database.query.deleteFrom('sandbox_stacks').where('stack_id', '=', stackId).execute();
    await world.database.query.updateTable('stacks').set({ next_at: 0 }).where('id', '=', stackId).execute();
    await world.worker('one').runDue();
    expect(await storesIn(stackId, 'database')).toMatchObject([{ state: 'lost' }]);
  });
});
