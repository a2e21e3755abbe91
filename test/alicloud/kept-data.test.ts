import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { serversWithFiles } from '../vendors/alicloud/files-model.ts';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { databasesOf } from './world/data-world.ts';
import { idsAt, type MadeStack, makeStack, storesAt } from './world/make-stack.ts';
import { AlicloudWorld } from './world/world.ts';

const redis = { name: 'cache', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 1 } as const;
const mysql = sampleModel({ databases: [sampleDatabase()] });
const textOf = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const waiting = { accepted: true, begun: false };

let world: AlicloudWorld;
beforeAll(async () => {
  world = await AlicloudWorld.start();
});
afterAll(() => world.close());
afterEach(() => {
  world.backups.policy = 'Lastest';
  world.backups.takesPolicies = true;
});
const made = (model: StackModel) => makeStack(world, model);
const isGone = async (at: MadeStack): Promise<boolean> => {
  await world.passAll();
  return (await at.observe()).kind === 'absent';
};
const backupsOf = (id: string | undefined) =>
  world.backups.backups.filter(({ DBInstanceId }) => DBInstanceId === id);

describe('MySQL that is kept, with a stand-in for the calls of RDS about backups', () => {
  it('is backed up before its stack is deleted, and found afterwards, also by another server', async () => {
    world.backups.policy = 'None';
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    expect(await at.remove('keep')).toEqual(waiting);
    expect(await at.remove('keep')).toEqual(waiting);
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
    expect(backupsOf(id)).toHaveLength(1);
    world.backups.finish();
    expect(await at.remove('keep')).toEqual({ accepted: true });
    expect(await isGone(at)).toBe(true);
    const [backup] = backupsOf(id);
    for (const { driver } of [world, world.as()])
      expect(await driver.listKept?.(at.stack)).toContainEqual(
        expect.objectContaining({ storeId: id, reference: backup?.BackupId, until: null }),
      );
  });

  it('is backed up before an update removes it', async () => {
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    expect(await at.apply(fixedServers(1), 'v2', 'keep')).toEqual(waiting);
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    world.backups.finish();
    expect(await at.apply(fixedServers(1), 'v2', 'keep')).toEqual({ accepted: true });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    expect((await world.backups.detached()).map(({ DBInstanceId }) => DBInstanceId)).toContain(id);
  });

  it('is backed up again by a server that restarted, and never deleted without', async () => {
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    await at.remove('keep');
    world.backups.finish();
    const releases = [
      { storeId: String(id), resource: 'Databaseapp', kind: 'database', choice: 'keep' },
    ] as const;
    const { driver } = world.as();
    expect(await driver.remove(at.stack, { releases, intent: 'delete 1' })).toEqual(waiting);
    expect(backupsOf(id)).toHaveLength(2);
    world.backups.finish();
    expect(await driver.remove(at.stack, { releases, intent: 'delete 1' })).toEqual({ accepted: true });
    expect(await isGone(at)).toBe(true);
  });

  it('needs a backup of the request: automated ones and those of earlier requests do not count', async () => {
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    await at.remove('keep', 'delete 1');
    world.backups.finish();
    world.backups.automate(String(id));
    expect(await at.remove('keep', 'delete 2')).toEqual(waiting);
    world.backups.automate(String(id));
    expect(await at.remove('keep', 'delete 2')).toEqual(waiting);
    world.backups.finish();
    expect(await at.remove('keep', 'delete 2')).toEqual({ accepted: true });
    expect(await isGone(at)).toBe(true);
  });

  it('is not deleted if its backup fails, or RDS does not keep it', async () => {
    const at = await made(mysql);
    await at.remove('keep');
    world.backups.finish('Failed');
    expect(await at.remove('keep')).toMatchObject({ accepted: false, reason: textOf(/backup .* failed/) });
    world.backups.policy = 'None';
    world.backups.takesPolicies = false;
    await at.remove('keep');
    world.backups.finish();
    expect(await at.remove('keep')).toMatchObject({ accepted: false, reason: textOf(/does not keep/) });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
  });

  it('is not backed up while an update runs, but after it', async () => {
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    await at.apply({ ...mysql, caches: [redis] }, 'v2');
    await world.passMoment();
    expect(await at.remove('keep')).toMatchObject({ accepted: true });
    expect(backupsOf(id)).toEqual([]);
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v2' });
    await at.apply(mysql, 'v3');
    await world.passAll();
    expect(await at.remove('keep')).toEqual(waiting);
    expect(backupsOf(id)).toHaveLength(1);
  });

  it('leaves no backup if it is to be deleted, although RDS keeps the last one by itself', async () => {
    const at = await made(mysql);
    const [id] = await databasesOf(world, at.stack);
    world.backups.automate(String(id));
    await at.remove('delete');
    expect(await isGone(at)).toBe(true);
    expect(await world.driver.listKept?.(at.stack)).not.toContainEqual(
      expect.objectContaining({ storeId: id }),
    );
  });
});

describe('files of fixed servers that are kept, with a stand-in for the calls of ECS about snapshots', () => {
  it('have a snapshot of their disk before another image replaces it', async () => {
    const at = await made(serversWithFiles(2));
    const files = (await storesAt(at)).filter(({ kind }) => kind === 'files').map(({ id }) => id);
    expect(files).toHaveLength(2);
    const other = serversWithFiles(2, { machineImage: 'm-bp1customimage0000000' });
    expect(await at.apply(other, 'v2', 'keep')).toEqual(waiting);
    expect(await at.apply(other, 'v2', 'keep')).toEqual(waiting);
    world.backups.finish();
    expect(await at.apply(other, 'v2', 'keep')).toEqual({ accepted: true });
    await world.passAll();
    const kept = (await world.driver.listKept?.(at.stack)) ?? [];
    expect(kept.map(({ storeId }) => storeId).filter((id) => files.includes(id))).toHaveLength(2);
    expect((await idsAt(at)).filter((id) => files.includes(id))).toEqual([]);
  });

  it('have one before their stack is deleted, and none if they are to be deleted', async () => {
    const at = await made(serversWithFiles(1));
    const files = (await storesAt(at)).find(({ kind }) => kind === 'files');
    expect(await at.remove('keep')).toEqual(waiting);
    world.backups.finish();
    expect(await at.remove('keep')).toEqual({ accepted: true });
    expect(await isGone(at)).toBe(true);
    expect(await world.driver.listKept?.(at.stack)).toContainEqual(
      expect.objectContaining({ storeId: files?.id }),
    );
    const other = await made(serversWithFiles(1));
    expect(await other.remove('delete')).toEqual({ accepted: true });
    expect(await isGone(other)).toBe(true);
    const snapshots = world.backups.snapshots.filter((each) => JSON.stringify(each).includes(other.stack.id));
    expect(snapshots).toEqual([]);
  });

  it('are not deleted if the snapshot fails', async () => {
    const at = await made(serversWithFiles(1));
    await at.remove('keep');
    world.backups.finish('Failed');
    expect(await at.remove('keep')).toMatchObject({ accepted: false, reason: textOf(/snapshot .* failed/) });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
  });
});
