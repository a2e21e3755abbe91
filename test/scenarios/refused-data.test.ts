import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const template = (hasDatabase: boolean) => {
  const { configurations, ...rest } = oneServer(1);
  const [layer] = configurations;
  const rds = hasDatabase ? { rds: { engine: 'mysql', storage: 20 } } : {};
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

  it('needs a confirmation if the vendor had started the update, because the database may exist', async () => {
    const { stackId, versionId } = await withAddedDatabase();
    await world.worker('one').runDue();
    await world.database.query
      .updateTable('stacks')
      .set({ status: 'UPDATE_FAILED', refused_wish: versionId, refused_reason: 'Not now' })
      .where('id', '=', stackId)
      .execute();
    await expect(update(stackId, template(false))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('The update removes data.'),
    });
  });
});
