import { rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, type ContainerSection, secrets } from './world/agent-world.ts';
import { freePort, PretendEngine } from './world/pretend-engine.ts';
import { Way } from './world/way.ts';

let almanac: ServedAlmanac;
let engine: PretendEngine;
let world: AgentWorld;
let way: Way;
let port: number;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
});
afterAll(() => almanac.close());
beforeEach(async () => {
  engine = new PretendEngine();
  engine.images.set('web:1', 'web').set('web:2', 'web');
  way = await Way.to(almanac.url);
  port = await freePort();
  world = await AgentWorld.open(almanac, engine.asEngine(), section('web:1'), { server: way.url });
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  await engine.close();
  await way.close();
});

const section = (image: string): ContainerSection => ({
  container_image: image,
  container_registry_username: 'robot',
  container_registry_password: secrets.registry,
  container_ports: [port],
});
const start = async () => {
  await world.startAgent();
  return world.ready();
};
const isServed = (revision: unknown) =>
  eventually(
    () => world.get(port).catch(() => ({ revision: undefined })),
    (answer) => answer.revision === revision,
  );
const linesWith = (words: string) => world.lines.filter((line) => line.includes(words));
const onlyContainer = () => [...engine.containers.keys()];

describe('while the service is away', () => {
  it('what runs goes on, and what was missed is made up for afterwards', async () => {
    const before = await start();
    way.interrupt();
    await world.update(section('web:2'));
    await eventually(
      async () => linesWith('Almanac does not answer').length,
      (count) => count === 1,
    );
    await isServed(before);
    way.isOpen = true;
    await world.agentSays('uptodate');
    await eventually(
      async () => engine.running.map(({ spec }) => spec.image).join(),
      (images) => images === 'web:2',
    );
    expect(linesWith('Almanac does not answer')).toHaveLength(1);
  });

  it('an agent that starts runs the last it knew, also from nothing', async () => {
    const revision = await start();
    await world.stopAgent();
    for (const id of onlyContainer()) await engine.remove(id);
    way.interrupt();
    await world.startAgent();
    await isServed(revision);
    expect(await world.ready()).toBe(revision);
    way.isOpen = true;
    await world.agentSays('uptodate');
  });

  it('keeps the configuration, which has secrets, for root alone', async () => {
    await start();
    const { stateDirectory } = world.settings;
    expect(statSync(stateDirectory).mode & 0o777).toBe(0o700);
    for (const file of ['config.json', 'state.json'])
      expect(statSync(join(stateDirectory, file)).mode & 0o777).toBe(0o600);
  });
});

describe('an agent that starts again', () => {
  it('goes on with the container that runs, without a new deploy', async () => {
    const revision = await start();
    await world.agentSays('uptodate');
    const [container] = onlyContainer();
    await world.stopAgent();
    expect(world.readyRevision).toBeUndefined();
    expect(engine.running.map(({ id }) => id)).toEqual([container]);
    expect(await world.statusesOf('Agent')).toEqual(['starting', 'installing', 'uptodate', 'stopped']);
    expect(await start()).toBe(revision);
    await isServed(revision);
    await world.agentSays('uptodate');
    expect(onlyContainer()).toEqual([container]);
    expect((await world.statusesOf('Container')).slice(-2)).toEqual(['starting', 'complete']);
  });

  it('finds it by its labels when everything it wrote down is lost', async () => {
    const revision = await start();
    await world.agentSays('uptodate');
    const [container] = onlyContainer();
    await world.stopAgent();
    rmSync(world.settings.stateDirectory, { recursive: true });
    expect(await start()).toBe(revision);
    expect(onlyContainer()).toEqual([container]);
    await isServed(revision);
  });

  it('takes away what a deploy that broke off left behind', async () => {
    const revision = await start();
    await world.stopAgent();
    const [serving] = engine.running;
    const { containers } = engine.asEngine();
    const labels = { ...serving?.spec.labels, 'almanac.revision': '9999999999' };
    await containers.start(await containers.create({ ...serving!.spec, name: 'left', labels }));
    expect(await start()).toBe(revision);
    expect(onlyContainer()).toEqual([serving?.id]);
  });

  it('does not mind a damaged state file', async () => {
    const revision = await start();
    await world.stopAgent();
    writeFileSync(join(world.settings.stateDirectory, 'state.json'), '{"agentId":');
    expect(await start()).toBe(revision);
  });
});

describe('when the container', () => {
  it('is removed, it is made again', async () => {
    const revision = await start();
    const [container = ''] = onlyContainer();
    await engine.remove(container);
    await isServed(revision);
    await world.agentSays('uptodate');
    expect(onlyContainer()).not.toContain(container);
  });

  it.each(['dead', 'paused'] as const)('is %s, another is made', async (state) => {
    const revision = await start();
    await world.agentSays('uptodate');
    const [container = ''] = onlyContainer();
    engine.containers.get(container)!.state = state;
    await eventually(
      async () => engine.running.map(({ id }) => id),
      ([id = container]) => id !== container,
    );
    await isServed(revision);
    expect(onlyContainer()).not.toContain(container);
  });

  it('is stopped by hand, it is started again, and found where it is then', async () => {
    const revision = await start();
    await world.agentSays('uptodate');
    const [container = ''] = onlyContainer();
    await engine.stopAndMove(container);
    await isServed(revision);
    expect(onlyContainer()).toEqual([container]);
    await eventually(
      () => world.statusesOf('Container'),
      (statuses) => statuses.slice(-2).join() === 'restarting,complete',
    );
    expect(await world.ready()).toBe(revision);
  });
});

it('says once that the engine is away, and goes on forwarding', async () => {
  const revision = await start();
  engine.isAway = true;
  await eventually(
    async () => linesWith('broken off').length,
    (count) => count === 1,
  );
  await isServed(revision);
  engine.isAway = false;
  await world.update(section('web:2'));
  await eventually(
    async () => engine.running.map(({ spec }) => spec.image).join(),
    (images) => images === 'web:2',
  );
});

describe('a spot notice', () => {
  const events = async () => (await world.reports()).filter(({ status }) => status === 'spot_terminate');

  it('is reported once, takes readiness away and later refuses new connections only', async () => {
    await start();
    await world.agentSays('uptodate');
    const open = request({ port, host: '127.0.0.1', path: '/', method: 'POST' });
    const answered = new Promise((resolve, reject) => open.on('response', resolve).on('error', reject));
    open.write('half of it');
    writeFileSync(world.spotNotice, JSON.stringify({ action: 'terminate', time: '2030-01-01T00:02:00Z' }));
    await eventually(events, (found) => found.length === 1);
    await eventually(
      async () => world.readyRevision,
      (revision) => revision === undefined,
    );
    await eventually(
      () =>
        world.get(port).then(
          () => 'taken',
          () => 'refused',
        ),
      (answer) => answer === 'refused',
    );
    open.end('and the rest');
    await expect(answered).resolves.toMatchObject({ statusCode: 200 });
    expect(await events()).toMatchObject([{ message: expect.stringContaining('at 2030-01-01T00:02:00Z') }]);
    expect(linesWith('spot notice reported')).toHaveLength(1);
  });

  it('is repeated until the service has heard it', async () => {
    await start();
    way.interrupt();
    writeFileSync(world.spotNotice, '');
    await eventually(
      async () => linesWith('the spot notice was not heard').length,
      (count) => count === 1,
    );
    way.isOpen = true;
    await eventually(events, (found) => found.length === 1);
  });
});
