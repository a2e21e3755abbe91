import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { EngineError } from '../../../src/docker-engine/errors.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import { remove } from '../../../src/vendors/docker/act/apply.ts';
import { keepVolume, releaseVolume } from '../../../src/vendors/docker/keep/keep.ts';
import { VolumeKeeper } from '../../../src/vendors/docker/keep/keeper.ts';
import {
  keepLonger,
  listKept,
  removeKept,
  type StackPresence,
  sweep,
} from '../../../src/vendors/docker/keep/kept-volumes.ts';
import { endOfKeeping } from '../../../src/vendors/docker/keep/record.ts';
import { labels, onEngine } from '../../../src/vendors/docker/names.ts';
import type { Machine } from '../../../src/vendors/docker/tools.ts';
import type { StackOnVendor } from '../../../src/vendors/vendor.ts';
import { release } from './releases.ts';
import { VolumeWorld } from './volume-world.ts';

const stackId = 'mo-5447826c870e7-kept-tk';
const day = 86_400_000;

let clock: VirtualClock;
let world: VolumeWorld;
let engine: Engine;
let presence: Map<string, StackPresence>;
beforeEach(() => {
  clock = new VirtualClock();
  world = new VolumeWorld();
  engine = world.engine;
  presence = new Map([[stackId, 'deleted']]);
});

const tools = () => ({ engine, clock, keepDays: 30, presenceOf: async () => presence });
const owned = (rest: string, id = stackId): string => {
  const name = onEngine(id, rest);
  world.volumes.push({ name, labels: { [labels.stack]: id, [labels.account]: 'acc' } });
  return name;
};
const keep = async (volume: string, days: number): Promise<string> => {
  const content = { flag: 'main', engine: 'postgresql' };
  const time = { keptAt: clock.now(), until: endOfKeeping(clock.now(), days) };
  await keepVolume(engine, { volume, stackId, accountId: 'acc', ...content, ...time });
  return volume;
};
const names = () => world.volumes.map(({ name }) => name);

describe('a kept volume', () => {
  it('is listed with its stack, account, content and times', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    const now = clock.now();
    expect(await listKept(tools())).toMatchObject([
      {
        volume,
        stackId,
        accountId: 'acc',
        flag: 'main',
        engine: 'postgresql',
        keptAt: now,
        until: now + 30 * day,
      },
    ]);
  });

  it('is removed after its time and not before, and one that is kept for ever stays', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    const forEver = await keep(owned('cache-sessions-redis'), 0);
    clock.advance(30 * day - 1);
    expect((await sweep(tools())).removed).toEqual([]);
    clock.advance(1);
    expect((await sweep(tools())).removed).toMatchObject([{ volume }]);
    clock.advance(10_000 * day);
    await sweep(tools());
    expect(names()).toEqual([forEver]);
  });

  it('can be kept longer, or for ever, from now on', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    clock.advance(20 * day);
    expect((await keepLonger(tools(), volume, 30)).until).toBe(clock.now() + 30 * day);
    clock.advance(29 * day);
    await sweep(tools());
    expect((await keepLonger(tools(), volume, 0)).until).toBeNull();
    clock.advance(1000 * day);
    await sweep(tools());
    expect(names()).toEqual([volume]);
  });

  it('stays, with its record, while another container uses it', async () => {
    const volume = await keep(owned('database-main-postgresql'), 1);
    world.addContainer('copy', {}, [volume]);
    clock.advance(2 * day);
    const { removed, failed } = await sweep(tools());
    expect([removed, failed]).toMatchObject([[], [{ volume }]]);
    await expect(removeKept(tools(), volume)).rejects.toThrow(/in use by copy/);
    expect(await listKept(tools())).toHaveLength(1);
    world.containers = world.containers.filter(({ name }) => name !== 'copy');
    await removeKept(tools(), volume);
    expect([names(), world.containers]).toEqual([[], []]);
  });

  it('whose record was pruned is recorded again, and kept for the whole time from then on', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    world.containers = [];
    clock.advance(100 * day);
    expect((await sweep(tools())).recorded).toMatchObject([
      {
        volume,
        stackId,
        accountId: 'acc',
        flag: 'main',
        engine: 'postgresql',
        until: clock.now() + 30 * day,
      },
    ]);
    expect(names()).toEqual([volume]);
  });
});

describe('no command and no time removes', () => {
  it('a volume that a stack uses', async () => {
    const volume = owned('database-main-postgresql');
    world.addContainer('marker', { [labels.stack]: stackId }, []);
    clock.advance(1000 * day);
    await sweep(tools());
    await expect(removeKept(tools(), volume)).rejects.toThrow(/There is no kept volume/);
    expect(names()).toEqual([volume]);
  });

  it('a volume of a stack that exists, even if nothing else of the stack is left on the engine', async () => {
    presence.set(stackId, 'exists');
    const volume = owned('database-main-postgresql');
    clock.advance(100 * day);
    expect(await sweep(tools())).toEqual({ removed: [], recorded: [], failed: [] });
    await expect(removeKept(tools(), volume)).rejects.toThrow(/There is no kept volume/);
    clock.advance(1000 * day);
    await sweep(tools());
    expect(names()).toEqual([volume]);
  });

  it('a volume that a stack uses again, or that the operator keeps longer, while the server looks for old ones', async () => {
    const reused = await keep(owned('database-main-postgresql'), 1);
    const longer = await keep(owned('database-other-postgresql'), 1);
    clock.advance(2 * day);
    let isFirst = true;
    const interrupting = { ...engine, volumes: { ...engine.volumes } };
    interrupting.volumes.usersOf = async (name) => {
      const users = await engine.volumes.usersOf(name);
      if (isFirst) await Promise.all([releaseVolume(engine, reused), keepLonger(tools(), longer, 30)]);
      isFirst = false;
      return users;
    };
    const { removed } = await sweep({ ...tools(), engine: interrupting });
    expect([removed, names()]).toEqual([[], [reused, longer]]);
    expect(await listKept(tools())).toMatchObject([{ volume: longer, until: clock.now() + 30 * day }]);
  });

  it('a volume that Almanac did not make, whatever its name, its labels and the records about it', async () => {
    const foreign = [
      { name: onEngine(stackId, 'database-main-postgresql'), labels: {} },
      { name: 'photos', labels: { [labels.stack]: stackId } },
      { name: 'plain', labels: {} },
    ];
    world.volumes.push(...foreign);
    for (const { name } of foreign) await keep(name, 1);
    clock.advance(1000 * day);
    expect(await sweep(tools())).toEqual({ removed: [], recorded: [], failed: [] });
    for (const { name } of foreign) await expect(removeKept(tools(), name)).rejects.toThrow(/no kept volume/);
    expect(world.volumes).toEqual(foreign);
  });
});

it('no time, but the operator, removes a volume of a stack that this server does not know', async () => {
  const recorded = await keep(owned('database-main-postgresql'), 1);
  const unrecorded = owned('cache-sessions-redis');
  presence.clear();
  expect((await sweep(tools())).recorded).toMatchObject([{ volume: unrecorded, until: null }]);
  clock.advance(1000 * day);
  await sweep(tools());
  expect(names()).toEqual([recorded, unrecorded]);
  await removeKept(tools(), recorded);
  await removeKept(tools(), unrecorded);
  expect(names()).toEqual([]);
});

it('a new time that another record replaces at the same moment is not reported as set', async () => {
  const volume = await keep(owned('database-main-postgresql'), 30);
  const racing = { ...engine, containers: { ...engine.containers } };
  racing.containers.remove = async (name) => {
    const isRemoved = await engine.containers.remove(name);
    await keep(volume, 7);
    return isRemoved;
  };
  await expect(keepLonger({ ...tools(), engine: racing }, volume, 0)).rejects.toThrow(/Try again/);
});

it('a deletion with data=delete removes the volumes of a stack whose containers vanished, and names those that stay', async () => {
  const machine = { engine, tools: { clock, imagePrefix: '', keepDays: 30 } } as unknown as Machine;
  const stack = { id: stackId, accountId: 'acc' } as StackOnVendor;
  const kept = await keep(owned('database-main-postgresql'), 30);
  owned('cache-sessions-redis');
  const releases = [release(onEngine(stackId, 'cache-sessions-redis'), 'delete')];
  for (let wave = 0; wave < 4; wave += 1) await remove(machine, stack, { releases });
  expect(names()).toEqual([kept]);
  const answer = await remove(machine, stack, { releases });
  expect(answer).toMatchObject({ accepted: true, note: expect.stringContaining(kept) as string });
  expect(await remove(machine, stack, { releases: [] })).toEqual({ accepted: true });
});

it('the server looks after kept volumes as long as it runs, also after a failure', async () => {
  await keep(owned('database-main-postgresql'), 1);
  const failures: unknown[] = [];
  let isBroken = true;
  const flaky = { ...engine, volumes: { ...engine.volumes } };
  flaky.volumes.list = async (filter) => {
    if (isBroken) throw new EngineError(500, 'no space left on device', '');
    return engine.volumes.list(filter);
  };
  const keeper = new VolumeKeeper({
    ...tools(),
    engine: flaky,
    everyMs: 3_600_000,
    done: () => {},
    failed: (error) => failures.push(error),
  });
  keeper.start();
  await keeper.settled();
  expect(failures).toHaveLength(1);
  isBroken = false;
  clock.advance(2 * day);
  await keeper.settled();
  expect(names()).toEqual([]);
  await keeper.stop();
});
