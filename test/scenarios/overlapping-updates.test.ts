import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { storesOfStack } from '../../src/store/data/stores.ts';
import { pruneVersions } from '../../src/store/stacks/prune-versions.ts';
import { findVersion } from '../../src/store/stacks/versions.ts';
import type { SandboxDocument } from '../../src/vendors/sandbox/document.ts';
import type { Vendor } from '../../src/vendors/vendor.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

/** A server with a database of this engine, or without one. */
const template = (engine: string | null, servers = 1) => {
  const { configurations, ...rest } = oneServer(servers);
  const [layer] = configurations;
  const provision = { ...layer?.provision, ...(engine ? { rds: { engine, storage: 20 } } : {}) };
  return { ...rest, configurations: [{ ...layer, provision }] };
};

const keep = { fingerprint: '', data: 'keep', servers: 'replace' } as const;
const update = (stackId: string, document: object, conditions?: typeof keep) =>
  updateTemplate(world.service, world.actor, { stackId, template: written(document), conditions });
const cancel = (stackId: string) => cancelUpdate(world.service, world.actor, { stackId });
const databaseOf = async (stackId: string) => (await world.describe(stackId)).view.databases[0]?.id;

const settledStack = async () => {
  const stackId = await world.create(template('mysql'));
  await world.settle();
  return { stackId, database: await databaseOf(stackId), version: (await world.describe(stackId)).versionId };
};

/** Lets the vendor replace the database whenever servers are removed. */
function replaceWithFewerServers(): void {
  const vendors = world.service.vendors as Map<string, Vendor>;
  const sandbox = vendors.get('sandbox')!;
  vendors.set('sandbox', {
    ...sandbox,
    replacedStores: async ({ before, after }) =>
      serversIn(before as SandboxDocument) > serversIn(after as SandboxDocument)
        ? ['DatabaseInstanceweb0']
        : [],
  });
}

const serversIn = ({ resources }: SandboxDocument): number =>
  resources.filter(({ type }) => type === 'Instance').length;

describe('an update before the one before it is complete', () => {
  it('needs a confirmation to replace the database that the vendor still has, even if the update before was allowed to remove it', async () => {
    const { stackId, database } = await settledStack();
    await update(stackId, template(null, 3), keep);
    await expect(update(stackId, template('postgres', 3))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/DatabaseInstance \S+ \S+ is replaced by an empty one/),
    });
    await update(stackId, template('postgres', 3), keep);
    await world.settle();
    expect(await databaseOf(stackId)).not.toBe(database);
    const kept = (await storesOfStack(world.database.query, stackId)).find(
      (row) => row.store_id === database,
    );
    expect(kept).toMatchObject({ state: 'kept' });
  });

  it('needs a confirmation to remove the database, if the update before was not allowed to', async () => {
    const { stackId, database } = await settledStack();
    await update(stackId, template('mysql', 3));
    await expect(update(stackId, template(null, 3))).rejects.toMatchObject({ kind: 'conflict' });
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
  });
});

describe('cancelling an update', () => {
  it.each([
    ['removed the database too', null],
    ['kept the database', 'mysql'],
  ])('keeps the database after an update that %s and was cancelled before', async (_, engine) => {
    const { stackId, database, version } = await settledStack();
    await update(stackId, template(engine, 3), keep);
    await cancel(stackId);
    await world.settle();
    await update(stackId, template(null, 4), keep);
    await cancel(stackId);
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: version });
    expect(database).toBeDefined();
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('keeps the database if the update that it replaced, itself not complete, kept it', async () => {
    const { stackId, database } = await settledStack();
    await update(stackId, template('mysql', 3));
    await update(stackId, template(null, 4), keep);
    await cancel(stackId);
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('keeps the database even if a version in between is no longer stored', async () => {
    const { stackId, database } = await settledStack();
    const { versionId } = await update(stackId, template('mysql', 3));
    await update(stackId, template(null, 4), keep);
    await pruneVersions(world.database.query, stackId, { kept: 1, isProtected: (id) => id !== versionId });
    await cancel(stackId);
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('needs a confirmation if going back would put an empty store in place of one with data', async () => {
    const { stackId, database } = await settledStack();
    replaceWithFewerServers();
    const { versionId } = await update(stackId, template('mysql', 2));
    await world.worker('one').runDue();
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(
        /The cancellation removes data.*DatabaseInstanceweb0 .* is replaced by an empty one/,
      ),
    });
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId });
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('that adds a database needs nothing of the vendor', async () => {
    const stackId = await world.create(template(null));
    await world.settle();
    await update(stackId, template('mysql'));
    await world.worker('one').runDue();
    await cancel(stackId);
    await world.settle();
    expect(await databaseOf(stackId)).toBeUndefined();
  });

  it('does not skip the resources that an earlier rollback to the same version skipped', async () => {
    const { stackId, version } = await settledStack();
    const { query } = world.database;
    await query
      .updateTable('versions')
      .set({ skip_resources: '["VPC"]' })
      .where('id', '=', version)
      .execute();
    await update(stackId, template('mysql', 2));
    await cancel(stackId);
    expect((await findVersion(query, stackId, version))?.skip_resources).toEqual([]);
  });
});
