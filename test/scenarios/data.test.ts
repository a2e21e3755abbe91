import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelUpdate } from '../../src/operations/stacks/change/cancel-update.ts';
import { rollBack } from '../../src/operations/stacks/change/roll-back.ts';
import { readEvents } from '../../src/operations/stacks/read/describe-stack.ts';
import { updateTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import { findVersion } from '../../src/store/stacks/versions.ts';
import { stackOnVendor } from '../../src/vendors/vendor.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

const rds = { engine: 'mysql', storage: 20 };

/** One server with a database, or more servers without it: that update creates servers before it removes the database. */
const template = (hasDatabase: boolean, servers = hasDatabase ? 1 : 3, more: object = {}) => {
  const { configurations, ...rest } = oneServer(servers);
  const [layer] = configurations;
  const provision = { ...layer?.provision, ...(hasDatabase ? { rds: { ...rds, ...more } } : {}) };
  return { ...rest, configurations: [{ ...layer, provision }] };
};

const keep = { fingerprint: '', data: 'keep', servers: 'replace' } as const;
const update = (stackId: string, document: object, conditions?: typeof keep) =>
  updateTemplate(world.service, world.actor, { stackId, template: written(document), conditions });
const cancel = (stackId: string) => cancelUpdate(world.service, world.actor, { stackId });
const databaseOf = async (stackId: string) => (await world.describe(stackId)).view.databases[0]?.id;
const eventsOf = async (stackId: string) => {
  const request = { stackId, language: 'v3', after: 0, limit: 1000 } as const;
  return (await readEvents(world.service, world.actor, request)).map(({ message }) => message);
};
const snapshotsOf = async (stackId: string) =>
  (await eventsOf(stackId)).filter((message) => message.includes('kept in snapshot'));

const settledStack = async () => {
  const stackId = await world.create(template(true));
  await world.settle();
  return { stackId, database: await databaseOf(stackId), version: (await world.describe(stackId)).versionId };
};

/** Sends an update to the cloud, whatever the stack desires by now. */
async function sendUpdate(stackId: string, version: string): Promise<void> {
  const row = await world.row(stackId);
  const driver = await world.tools.connect(row);
  const found = await findVersion(world.database.query, stackId, version);
  const document = found?.vendor_document ?? {};
  await driver.apply(stackOnVendor(row), { document, version, ...(await world.tools.secretsOf(row)) });
}

describe('cancelling an update that removes a database', () => {
  it('keeps the same database while the update has not removed it', async () => {
    const { stackId, database, version } = await settledStack();
    await update(stackId, template(false), keep);
    await world.advance(1);
    await cancel(stackId);
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: version });
    expect(database).toBeDefined();
    expect(await databaseOf(stackId)).toBe(database);
    expect(await snapshotsOf(stackId)).toEqual([]);
  });

  it('keeps the same database if the worker starts the update only after it was cancelled', async () => {
    const { stackId, database, version } = await settledStack();
    const { versionId } = await update(stackId, template(false), keep);
    await cancel(stackId);
    // A worker that had read the stack before the request sends the cancelled update.
    await sendUpdate(stackId, versionId);
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE', versionId: version });
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('is refused when it is too late, says what is lost and how to roll back, and the rollback works', async () => {
    const { stackId, database, version } = await settledStack();
    await update(stackId, template(false), keep);
    // The vendor is done, but no worker has seen it yet.
    await world.worker('one').runDue();
    world.clock.advance(600_000);
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/too late .*complete.* DatabaseInstance \S+ new and empty/),
      description: expect.stringMatching(new RegExp(`roll back to version ${version}.*restore what is kept`)),
    });
    await world.settle();
    expect(await world.describe(stackId)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(await snapshotsOf(stackId)).toHaveLength(1);
    const back = { stackId, versionId: version, conditions: keep };
    await expect(rollBack(world.service, world.actor, back)).rejects.toMatchObject({
      message: expect.stringContaining('is made new and empty. Its last data is kept as data-'),
      description: expect.stringContaining('?restore=latest'),
    });
    await rollBack(world.service, world.actor, { ...back, restore: 'latest' });
    await world.settle();
    expect(await databaseOf(stackId)).toBeDefined();
    expect(await databaseOf(stackId)).not.toBe(database);
  });

  it('keeps the same database after several updates of which the vendor has begun none', async () => {
    const { stackId, database } = await settledStack();
    await update(stackId, template(false), keep);
    await update(stackId, template(false, 4), keep);
    await cancel(stackId);
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
  });

  it('is refused after several updates if the vendor works on one of them that removes the database', async () => {
    const { stackId } = await settledStack();
    await update(stackId, template(false), keep);
    await world.worker('one').runDue();
    await update(stackId, template(false, 4), keep);
    await expect(cancel(stackId)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('several updates were sent'),
    });
  });

  it('fails with the reason if the update could not be stopped after the request, and loses nothing more', async () => {
    const { stackId, version } = await settledStack();
    const { versionId } = await update(stackId, template(false), keep);
    await world.worker('one').runDue();
    await world.advance(1);
    await cancel(stackId);
    // A worker that had read the stack before the request sends the update again, and no pass sees it in progress.
    world.clock.advance(60_000);
    await sendUpdate(stackId, versionId);
    world.clock.advance(600_000);
    await world.settle();
    expect(await world.row(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      status_reason: expect.stringMatching(
        new RegExp(`before it could be cancelled.*Roll back to version ${version}`),
      ),
    });
    expect(await databaseOf(stackId)).toBeUndefined();
  });
});

describe('an update that removes or replaces data', () => {
  it.each([
    ['removes', template(false)],
    ['replaces', template(true, 1, { engine: 'postgres' })],
  ])(
    'is refused if it %s a database and nothing confirms it; the stack stays as it is',
    async (_, document) => {
      const { stackId, database, version } = await settledStack();
      await expect(update(stackId, document)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(/removes data.*DatabaseInstance \S+ \(\S+\) is (removed|replaced)/),
        description: expect.stringContaining('?data=keep'),
      });
      await world.settle();
      expect(await world.describe(stackId)).toMatchObject({ status: 'CREATE_COMPLETE', versionId: version });
      expect(await databaseOf(stackId)).toBe(database);
    },
  );

  it('goes on when it is confirmed, and leaves a snapshot', async () => {
    const { stackId } = await settledStack();
    await update(stackId, template(false), keep);
    await world.settle();
    expect(await databaseOf(stackId)).toBeUndefined();
    expect(await snapshotsOf(stackId)).toHaveLength(1);
  });

  it('includes a rollback to a version without the database', async () => {
    const stackId = await world.create(template(false));
    await world.settle();
    const { versionId } = await world.describe(stackId);
    await update(stackId, template(true), keep);
    await world.settle();
    const request = { stackId, versionId };
    await expect(rollBack(world.service, world.actor, request)).rejects.toMatchObject({ kind: 'conflict' });
    await rollBack(world.service, world.actor, { ...request, conditions: keep });
    await world.settle();
    expect(await databaseOf(stackId)).toBeUndefined();
    expect(await snapshotsOf(stackId)).toHaveLength(1);
  });

  it('needs no confirmation if it only changes the database or adds servers', async () => {
    const { stackId, database } = await settledStack();
    await update(stackId, template(true, 2, { storage: 40 }));
    await world.settle();
    expect(await databaseOf(stackId)).toBe(database);
  });
});
