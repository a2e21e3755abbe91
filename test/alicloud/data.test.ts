import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../src/model/stack-model.ts';
import { serversWithFiles } from '../vendors/alicloud/files-model.ts';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { databasesOf } from './world/data-world.ts';
import { idsAt, type MadeStack, makeStack } from './world/make-stack.ts';
import { AlicloudWorld } from './world/world.ts';

const redis = { name: 'cache', engine: 'redis', nodeType: 'redis.master.small.default', nodes: 1 } as const;
const mysql = sampleModel({ databases: [sampleDatabase()] });
const postgresql = sampleModel({ databases: [sampleDatabase({ engine: 'postgresql' })] });
const textOf = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

let world: AlicloudWorld;
beforeAll(async () => {
  world = await AlicloudWorld.start();
});
afterAll(() => world.close());
afterEach(() => world.double.clear('faults'));
const made = (model: StackModel) => makeStack(world, model);
const isGone = async (at: MadeStack): Promise<boolean> => {
  await world.passAll();
  return (await at.observe()).kind === 'absent';
};

describe('data on a double of ROS', () => {
  it('is not deleted by an update that no request released it for', async () => {
    const at = await made({ ...mysql, caches: [redis] });
    const before = await idsAt(at);
    expect(await at.apply(fixedServers(1), 'v2', 'nothing')).toMatchObject({
      accepted: false,
      reason: textOf(/^This would delete the data of Databaseapp \(rm-.*\) and Rediscache \(r-/),
    });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    expect(await idsAt(at)).toEqual(before);
  });

  it('is not deleted by an update after one that completed it in passing', async () => {
    const at = await made(fixedServers(1));
    await at.apply(mysql, 'v2');
    await world.passAll();
    const [database] = await databasesOf(world, at.stack);
    expect(await at.apply(fixedServers(1), 'v1', 'nothing')).toMatchObject({ accepted: false });
    await world.passAll();
    expect(await databasesOf(world, at.stack)).toEqual([database]);
  });

  it('is not deleted with its stack unless the request says so', async () => {
    const at = await made(mysql);
    expect(await at.remove('nothing')).toMatchObject({ accepted: false });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
    await at.remove('delete');
    expect(await isGone(at)).toBe(true);
  });

  it.each([
    ['PostgreSQL', postgresql, /Databaseapp/],
    ['Redis', { ...mysql, caches: [redis] }, /Rediscache/],
  ])('of %s that cannot be kept is not deleted, and nothing is backed up', async (_, model, name) => {
    const at = await made(model);
    const existing = world.backups.backups.length;
    const answer = await at.remove('keep');
    expect(answer).toMatchObject({ accepted: false, reason: textOf(name) });
    expect(answer).toMatchObject({ reason: textOf(/^Alibaba Cloud cannot keep/) });
    await world.passAll();
    expect(await at.observe()).toMatchObject({ kind: 'settled' });
    expect(world.backups.backups).toHaveLength(existing);
  });

  it('in files on the disk of a server needs a word of its own, the disk itself none', async () => {
    const at = await made(serversWithFiles(2));
    expect(await at.apply(serversWithFiles(1), 'v2', 'nothing')).toMatchObject({
      accepted: false,
      reason: textOf(/InstancesWeb0/),
    });
    const plain = await made(fixedServers(2));
    expect(await plain.apply(fixedServers(1), 'v2', 'nothing')).toEqual({ accepted: true });
  });
});
