import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { pruneVersions } from '../../src/store/stacks/prune-versions.ts';
import { findVersion } from '../../src/store/stacks/versions.ts';
import type { RemovedData } from '../../src/vendors/data.ts';
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

const keep = { fingerprint: '', data: 'keep' } as const;
const update = (stackId: string, document: object, conditions?: typeof keep) =>
  updateTemplate(world.service, world.actor, { stackId, template: written(document), conditions });
const cancel = (stackId: string) => cancelUpdate(world.service, world.actor, { stackId });
const databaseOf = async (stackId: string) => (await world.describe(stackId)).view.databases[0]?.id;

const settledStack = async () => {
  const stackId = await world.create(template('mysql'));
  await world.settle();
  return { stackId, database: await databaseOf(stackId), version: (await world.describe(stackId)).versionId };
};

/** Lets the vendor answer differently about data; `removed` sees the answer of the sandbox and both documents. */
function changeDataRules(
  removed: (
    answer: readonly RemovedData[],
    before: SandboxDocument,
    after: SandboxDocument | null,
  ) => RemovedData[],
): void {
  const vendors = world.service.vendors as Map<string, Vendor>;
  const sandbox = vendors.get('sandbox')!;
  vendors.set('sandbox', {
    ...sandbox,
    removedData: async (change) =>
      removed(
        await sandbox.removedData(change),
        change.before as SandboxDocument,
        change.after as SandboxDocument | null,
      ),
  });
}

const serversIn = ({ resources }: SandboxDocument): number =>
  resources.filter(({ type }) => type === 'Instance').length;

describe('an update before the one before it is complete', () => {
  it('needs a confirmation to replace the database that the vendor still has, even if the update before removed it', async () => {
    const { stackId } = await settledStack();
    await update(stackId, template(null, 3), keep);
    await expect(update(stackId, template('postgres'))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/DatabaseInstance \S+ would be replaced/),
    });
    await update(stackId, template('postgres'), keep);
  });

  it('cannot keep data that the version at the vendor would lose, even if the update before would have renewed how it is kept', async () => {
    const { stackId, database } = await settledStack();
    // Only versions with two servers keep data.
    changeDataRules((stores, before) =>
      serversIn(before) === 2 ? [...stores] : stores.map((store) => ({ ...store, keptAs: '' })),
    );
    await update(stackId, template('mysql', 2));
    await expect(update(stackId, template(null), keep)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('Its data would be lost'),
      description: expect.stringContaining('first update the stack with its current document'),
    });
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
    await update(stackId, template(null), keep);
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

  it('is refused if a version in between is no longer stored: it may have removed the database', async () => {
    const { stackId } = await settledStack();
    const { versionId } = await update(stackId, template('mysql', 3));
    await update(stackId, template(null, 4), keep);
    await pruneVersions(world.database.query, stackId, { kept: 1, isProtected: (id) => id !== versionId });
    await expect(cancel(stackId)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('is refused if going back would put an empty store in place of one whose data the update may have moved', async () => {
    const { stackId, database } = await settledStack();
    // The way from two servers back to one finds no data; the way there moves it.
    changeDataRules((stores, before, after) =>
      after && serversIn(before) > serversIn(after)
        ? [{ action: 'replace', resource: 'Cache', resourceType: 'CacheNode', keptAs: 'The volume is kept.' }]
        : [...stores],
    );
    const { versionId } = await update(stackId, template('mysql', 2));
    await cancel(stackId);
    await world.settle();
    expect(await world.row(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    const { versionId: again } = await update(stackId, template('mysql', 2));
    expect(again).not.toBe(versionId);
    await world.worker('one').runDue();
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/may already have moved data.* CacheNode Cache new and empty/),
      description: expect.stringContaining('The volume is kept.'),
    });
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: again });
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
