import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteStack } from '../../src/operations/stacks/change/delete-stack.ts';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { unconditional } from '../../src/operations/stacks/submit/write-conditions.ts';
import { storesOfStack } from '../../src/store/data/stores.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const template = (hasDatabase: boolean, storage = 20, more: object = {}) => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const rds = hasDatabase ? { rds: { engine: 'mysql', storage, ...more } } : {};
  return { ...rest, configurations: [{ ...layer, provision: { ...layer?.provision, ...rds } }] };
};
const update = (stackId: string, document: object) =>
  updateTemplate(world.service, world.actor, { stackId, template: written(document) });

describe('removing a database that a failed update added', () => {
  /** A complete stack without a database, and an update that adds one. */
  const withAddedDatabase = async () => {
    const stackId = await world.create(template(false));
    await world.settle();
    const { versionId } = await update(stackId, template(true));
    return { stackId, versionId };
  };

  it('needs no confirmation if the vendor refused the update, because nothing was made', async () => {
    const { stackId, versionId } = await withAddedDatabase();
    // What a pass records; the sandbox refuses no updates.
    await world.database.query
      .updateTable('stacks')
      .set({
        status: 'UPDATE_FAILED',
        refused_wish: versionId,
        refused_reason: 'No such class',
        next_at: null,
      })
      .where('id', '=', stackId)
      .execute();
    await update(stackId, template(false));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  });

  it('waits for a confirmation if the database came up after the request, and the database stays', async () => {
    const { stackId } = await withAddedDatabase();
    await world.worker('one').runDue();
    await update(stackId, template(false));
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      statusReason: expect.stringMatching(/no request released. DatabaseInstance .* is removed.*\?data=keep/),
    });
    expect((await world.describe(stackId)).view.databases).toHaveLength(1);
    await world.update(stackId, template(false), { data: 'keep' });
    await world.settle();
    expect((await world.describe(stackId)).view.databases).toEqual([]);
    const kept = (await storesOfStack(world.database.query, stackId)).find(({ kind }) => kind === 'database');
    expect(kept).toMatchObject({ state: 'kept' });
  });
});

describe('deleting a stack with a database where the vendor keeps no data', () => {
  beforeEach(() => {
    const sandbox = world.service.vendors.get('sandbox');
    if (!sandbox) throw new Error('There is no sandbox.');
    Object.assign(sandbox, { keptAs: () => '' });
  });
  const remove = (stackId: string, data?: 'keep' | 'delete') =>
    deleteStack(world.service, world.actor, {
      stackId,
      language: 'v3',
      conditions: { ...unconditional, data, servers: 'replace' },
    });

  it('needs the confirmation that the data is deleted, and says so', async () => {
    const stackId = await world.create(template(true));
    await world.settle();
    for (const choice of [undefined, 'keep'] as const)
      await expect(remove(stackId, choice)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('The deletion removes data.'),
        description: expect.stringContaining('?data=delete (alm: --delete-data)'),
      });
    expect(await world.describe(stackId)).toMatchObject({ status: 'CREATE_COMPLETE' });
    await remove(stackId, 'delete');
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'DELETE_COMPLETE' });
  });

  it('needs it as well if the creation of the stack failed after its database came up', async () => {
    const stackId = await world.create(template(true));
    await world.settle();
    const row = world.database.query.updateTable('stacks').where('id', '=', stackId);
    await row.set({ status: 'CREATE_FAILED', settled_version: null }).execute();
    await expect(remove(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('The deletion removes data.'),
    });
    await remove(stackId, 'delete');
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'DELETE_COMPLETE' });
  });

  it('is refused, whatever is confirmed, if the creation failed after its protected database came up', async () => {
    const stackId = await world.create(template(true, 20, { deletion_protection: true }));
    await world.settle();
    const row = world.database.query.updateTable('stacks').where('id', '=', stackId);
    await row.set({ status: 'CREATE_FAILED', settled_version: null }).execute();
    for (const choice of [undefined, 'delete'] as const)
      await expect(remove(stackId, choice)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('deletion_protection'),
      });
    await update(stackId, template(true));
    await world.settle();
    await remove(stackId, 'delete');
  });

  it('needs none for a stack that was never complete, or that has no data', async () => {
    const unfinished = await world.create(template(true));
    const empty = await world.create(template(false));
    await remove(unfinished);
    await world.settle();
    await remove(empty);
    await world.settle();
    expect(await world.describe(unfinished)).toMatchObject({ status: 'DELETE_COMPLETE' });
    expect(await world.describe(empty)).toMatchObject({ status: 'DELETE_COMPLETE' });
  });
});
