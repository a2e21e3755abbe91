import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type {
  Container,
  ContainerSpec,
  LabelFilter,
  Labels,
} from '../../../src/docker-engine/container-types.ts';
import { EngineError } from '../../../src/docker-engine/errors.ts';
import type { Engine, Volume } from '../../../src/docker-engine/types.ts';
import { keepVolume } from '../../../src/vendors/docker/keep/keep.ts';
import { VolumeKeeper } from '../../../src/vendors/docker/keep/keeper.ts';
import { keepLonger, listKept, removeKept, sweep } from '../../../src/vendors/docker/keep/kept-volumes.ts';
import { endOfKeeping } from '../../../src/vendors/docker/keep/record.ts';
import { labels, onEngine } from '../../../src/vendors/docker/names.ts';

const stackId = 'mo-5447826c870e7-kept-tk';
const day = 86_400_000;

interface FakeContainer {
  name: string;
  labels: Labels;
  volumes: readonly string[];
}

const matches = (own: Labels, filter: LabelFilter): boolean =>
  Object.entries(filter).every(([key, value]) => key in own && (value === null || own[key] === value));

let clock: VirtualClock;
let containers: FakeContainer[];
let volumes: Volume[];
beforeEach(() => {
  clock = new VirtualClock();
  containers = [];
  volumes = [];
});

/** As much of an engine as kept volumes need. It refuses to remove a volume that a container mounts. */
const engine = {
  images: { inspect: async () => undefined, import: async () => 'sha256:0' },
  networks: { list: async () => [] },
  containers: {
    list: async (filter: LabelFilter) =>
      containers.filter((each) => matches(each.labels, filter)) as unknown as Container[],
    create: async ({ name, labels: own = {}, mounts = [] }: ContainerSpec) => {
      if (containers.some((each) => each.name === name)) throw new EngineError(409, 'already in use', '');
      const mounted = mounts.flatMap((mount) => (mount.kind === 'volume' ? [mount.volume] : []));
      containers.push({ name, labels: own, volumes: mounted });
      return name;
    },
    remove: async (name: string) => {
      containers = containers.filter((each) => each.name !== name);
      return true;
    },
  },
  volumes: {
    list: async (filter: LabelFilter) => volumes.filter((each) => matches(each.labels, filter)),
    usersOf: async (name: string) =>
      containers.filter((each) => each.volumes.includes(name)).map((each) => each.name),
    remove: async (name: string) => {
      if (containers.some((each) => each.volumes.includes(name)))
        throw new EngineError(409, 'volume is in use', '');
      volumes = volumes.filter((each) => each.name !== name);
      return true;
    },
  },
} as unknown as Engine;

const tools = () => ({ engine, clock, keepDays: 30 });
const owned = (rest: string, id = stackId): string => {
  const name = onEngine(id, rest);
  volumes.push({ name, labels: { [labels.stack]: id, [labels.account]: 'acc' } });
  return name;
};
const keep = async (volume: string, days: number): Promise<string> => {
  const content = { flag: 'main', engine: 'postgresql' };
  const time = { keptAt: clock.now(), until: endOfKeeping(clock.now(), days) };
  await keepVolume(engine, { volume, stackId, accountId: 'acc', ...content, ...time });
  return volume;
};
const names = () => volumes.map(({ name }) => name);

describe('a kept volume', () => {
  it('is listed with its stack, account, content and times', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    const now = clock.now();
    expect(await listKept(tools())).toEqual([
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
    containers.push({ name: 'copy', labels: {}, volumes: [volume] });
    clock.advance(2 * day);
    const { removed, failed } = await sweep(tools());
    expect([removed, failed]).toMatchObject([[], [{ volume }]]);
    await expect(removeKept(tools(), volume)).rejects.toThrow(/in use by copy/);
    expect(await listKept(tools())).toHaveLength(1);
    containers = containers.filter(({ name }) => name !== 'copy');
    await removeKept(tools(), volume);
    expect([names(), containers]).toEqual([[], []]);
  });

  it('whose record was pruned is recorded again, and kept for the whole time from then on', async () => {
    const volume = await keep(owned('database-main-postgresql'), 30);
    containers = [];
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
    containers.push({ name: 'marker', labels: { [labels.stack]: stackId }, volumes: [] });
    clock.advance(1000 * day);
    await sweep(tools());
    await expect(removeKept(tools(), volume)).rejects.toThrow(/There is no kept volume/);
    expect(names()).toEqual([volume]);
  });

  it('a volume that Almanac did not make, whatever its name, its labels and the records about it', async () => {
    const foreign = [
      { name: onEngine(stackId, 'database-main-postgresql'), labels: {} },
      { name: 'photos', labels: { [labels.stack]: stackId } },
      { name: 'plain', labels: {} },
    ];
    volumes.push(...foreign);
    for (const { name } of foreign) await keep(name, 1);
    clock.advance(1000 * day);
    expect(await sweep(tools())).toEqual({ removed: [], recorded: [], failed: [] });
    for (const { name } of foreign) await expect(removeKept(tools(), name)).rejects.toThrow(/no kept volume/);
    expect(volumes).toEqual(foreign);
  });
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
