import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { copyVolume } from '../../../src/vendors/docker/act/copy-volume.ts';
import { whyNotRestored } from '../../../src/vendors/docker/act/restore.ts';
import { makeVolume, reuseVolume } from '../../../src/vendors/docker/act/volumes.ts';
import { restore, stillRestored } from '../../../src/vendors/docker/data.ts';
import { keepVolume } from '../../../src/vendors/docker/keep/keep.ts';
import { keptStores } from '../../../src/vendors/docker/keep/kept-stores.ts';
import { copyName, keepRecordName, labels, onEngine } from '../../../src/vendors/docker/names.ts';
import type { ObservedStack, ObservedVolume } from '../../../src/vendors/docker/observed-stack.ts';
import type { DesiredStack, Machine } from '../../../src/vendors/docker/tools.ts';
import { Unreachable } from '../../../src/vendors/vendor.ts';
import { balanced, database } from './documents.ts';
import { VolumeWorld } from './volume-world.ts';

const stack = { id: 'mo-5447826c870e7-new-tk', accountId: 'acc', region: 'local' };
const old = { ...stack, id: 'mo-5447826c870e7-old-tk' };
const volume = 'database-main-postgresql';
const source = onEngine(old.id, volume);
const target = onEngine(stack.id, volume);
const plain = balanced(1, {}, { databases: [database({ replicas: 0 })] });

let world: VolumeWorld;
let machine: Machine;
beforeEach(() => {
  world = new VolumeWorld();
  const tools = { clock: new VirtualClock(), imagePrefix: '', keepDays: 30 };
  machine = { engine: world.engine, tools } as unknown as Machine;
});

const keep = async (name: string, owner = old, content = { flag: 'main', engine: 'postgresql' }) => {
  world.volumes.push({ name, labels: { [labels.stack]: owner.id, [labels.id]: '1a2b' } });
  const times = { keptAt: 5, until: 7 };
  const { id: stackId, accountId } = owner;
  await keepVolume(world.engine, { volume: name, stackId, accountId, ...content, ...times });
};
const desired = (reference = source): DesiredStack => ({
  stack,
  document: restore(plain, new Map([['database-main', reference]])),
  version: 'v1',
  agentToken: new Secret('t'),
  databasePassword: new Secret('p'),
  releases: [],
});
const observed = (...volumes: Partial<ObservedVolume>[]) => ({ volumes }) as unknown as ObservedStack;
const isRecorded = (name: string) => world.containers.some((each) => each.name === keepRecordName(name));

it('a kept volume is listed for its stack with the id of its store and the end of its time', async () => {
  await keep(source);
  expect(await keptStores(machine, old.id)).toEqual([
    {
      storeId: `${source}@1a2b`,
      reference: source,
      where: expect.stringContaining(source) as string,
      since: 5,
      until: 7,
    },
  ]);
  expect(await keptStores(machine, stack.id)).toEqual([]);
});

describe('a restore is refused', () => {
  const reason = (asked = desired(), seen = observed()) => whyNotRestored(machine, asked, seen);

  it('from a volume that is not kept, or that belongs to another account', async () => {
    expect(await reason()).toMatch(/There is no kept volume/);
    await keep(source, { ...old, accountId: 'other' });
    expect(await reason()).toMatch(/There is no kept volume/);
  });

  it('from data of another engine', async () => {
    await keep(source, old, { flag: 'main', engine: 'mysql' });
    expect(await reason()).toMatch(/holds data of mysql, and .* needs postgresql/);
  });

  it('while the stack has a kept volume of the same name, which is not touched', async () => {
    await keep(source);
    await keep(target, stack);
    expect(await reason()).toContain(`almanac volumes remove ${target}`);
    expect(await reason(desired(target))).toBeNull();
  });

  it('never for a volume that is in use, or that was restored from the same data before', async () => {
    expect(await reason(desired(), observed({ name: target, kept: null }))).toBeNull();
    const kept = { volume: target } as unknown as ObservedVolume['kept'];
    expect(await reason(desired(), observed({ name: target, kept, restoredFrom: source }))).toBeNull();
  });
});

describe('the data of a kept volume', () => {
  const copy = () => copyVolume(machine, desired(), { volume: target, from: source });

  it('is copied to a new volume, which says where it comes from, and stays kept', async () => {
    await keep(source);
    await makeVolume(machine, desired(), volume);
    await copy();
    expect(world.volumes.find(({ name }) => name === target)?.labels).toMatchObject({
      [labels.restoredFrom]: source,
      [labels.account]: 'acc',
    });
    expect(world.containers.find(({ name }) => name === copyName(target))?.volumes).toEqual([source, target]);
    expect(world.started).toEqual([copyName(target)]);
    expect(isRecorded(source)).toBe(true);
  });

  it('is not copied once its own stack uses it again', async () => {
    await keep(source);
    const create = world.engine.containers.create.bind(world.engine.containers);
    world.engine.containers.create = async (spec) => {
      const id = await create(spec);
      world.containers = world.containers.filter(({ name }) => name !== keepRecordName(source));
      return id;
    };
    await expect(copy()).rejects.toBeInstanceOf(Unreachable);
    expect([world.containers, world.started]).toEqual([[], []]);
  });

  it('is not taken for gone while its record is replaced', async () => {
    world.volumes.push({ name: source, labels: { [labels.stack]: old.id } });
    await expect(copy()).rejects.toBeInstanceOf(Unreachable);
    expect(world.started).toEqual([]);
  });

  it('is not used again by its own stack while it is copied, and stays kept', async () => {
    await keep(source);
    await copy();
    await expect(reuseVolume(machine, old, source)).rejects.toThrow(/is in use by .*\.copy/);
    expect(isRecorded(source)).toBe(true);
    world.containers = world.containers.filter(({ name }) => name !== copyName(target));
    await reuseVolume(machine, old, source);
    expect(isRecorded(source)).toBe(false);
  });
});

it('a version that overtakes a restore still restores what it has in common with it', () => {
  const { document } = desired();
  expect(stillRestored(plain, document)).toEqual(document);
  expect(stillRestored(balanced(1), document)).toEqual(balanced(1));
});
