import { describe, expect, it } from 'vitest';
import {
  cancel,
  completedInPassing,
  contentIn,
  rds,
  settled,
  storesIn,
  template,
  update,
  useLives,
  world,
} from './lives.ts';

useLives();

describe.each([
  ['a database', {}],
  ['a protected database', { deletion_protection: true }],
])('door 1: %s that an update added and the vendor completed while a newer update waited', (_, more) => {
  it('is still there after the newer update is cancelled, because the stack was complete with it', async () => {
    const { stackId, second, content } = await completedInPassing(more);
    expect(await cancel(stackId)).toMatchObject({ versionId: second });
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: second });
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
  });
});

describe('door 1: cancelling an update whose own database is ready', () => {
  it('asks what becomes of it, and keeps it in a snapshot on request', async () => {
    const stackId = await settled(template());
    await update(stackId, template({ rds: { ...rds, replica: 1 } }));
    while (!(await storesIn(stackId, 'database')).some(({ state }) => state === 'in_use'))
      await world.advance(0.5);
    const [content] = await contentIn(stackId, 'DatabaseInstance');
    expect(content).toBe((await storesIn(stackId, 'database'))[0]?.store_id);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/^The cancellation removes data. DatabaseInstance .* is removed./),
      stores: [{ kind: 'database', confirm: ['data=keep', 'data=delete'] }],
    });
    expect(await contentIn(stackId, 'DatabaseInstance')).toContain(content);
    await cancel(stackId, { data: 'keep' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([]);
    expect(await storesIn(stackId, 'database')).toMatchObject([{ state: 'kept' }]);
  });

  it('is refused for a protected one, whatever the request says', async () => {
    const stackId = await settled(template());
    await update(stackId, template({ rds: { ...rds, replica: 1, deletion_protection: true } }));
    while (!(await storesIn(stackId, 'database')).some(({ state }) => state === 'in_use'))
      await world.advance(0.5);
    await expect(cancel(stackId, { data: 'delete' })).rejects.toMatchObject({
      message: expect.stringContaining('deletion_protection'),
    });
  });
});

describe('door 2: a database completed in passing, after the newer update without it failed at the vendor', () => {
  it('is removed only by an update that says so', async () => {
    const { stackId, content } = await completedInPassing();
    await world.fault({ kind: 'fail_resource', position: 1 }, stackId);
    await update(stackId, template({ servers: 4 }), { data: 'keep', servers: 'replace' });
    await world.settle();
    expect((await world.describe(stackId)).status).toBe('UPDATE_FAILED');
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([content]);
    await expect(update(stackId, template({ servers: 5 }), { servers: 'replace' })).rejects.toMatchObject({
      kind: 'conflict',
      stores: [{ kind: 'database' }],
    });
    await update(stackId, template({ servers: 5 }), { data: 'delete', servers: 'replace' });
    await world.settle();
    expect(await contentIn(stackId, 'DatabaseInstance')).toEqual([]);
  });
});
