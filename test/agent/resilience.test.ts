import { rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, type ContainerSection, secrets } from './world/agent-world.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';
import { TcpProxy } from './world/tcp-proxy.ts';

const almanac = useServedAlmanac();
let engine: FakeEngine;
let world: AgentWorld;
let proxy: TcpProxy;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web').set('web:2', 'web');
  proxy = await TcpProxy.to(almanac.url);
  port = await freePort();
  world = await AgentWorld.open(almanac, engine.asEngine(), section('web:1'), { server: proxy.url });
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  await engine.close();
  await proxy.close();
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
    (response) => response.revision === revision,
  );
const linesWith = (text: string) => world.lines.filter((line) => line.includes(text));
const onlyContainer = () => [...engine.containers.keys()];

describe('while Almanac is unreachable', () => {
  it('the container keeps serving, and the agent deploys missed changes afterwards', async () => {
    const before = await start();
    proxy.interrupt();
    await world.update(section('web:2'));
    await eventually(
      async () => linesWith('cannot reach Almanac').length,
      (count) => count === 1,
    );
    await isServed(before);
    proxy.isOpen = true;
    await world.agentSays('uptodate');
    await eventually(
      async () => engine.running.map(({ spec }) => spec.image).join(),
      (images) => images === 'web:2',
    );
    expect(linesWith('cannot reach Almanac')).toHaveLength(1);
  });

  it('an agent that starts deploys the last known configuration', async () => {
    const revision = await start();
    await world.stopAgent();
    for (const id of onlyContainer()) await engine.remove(id);
    proxy.interrupt();
    await world.startAgent();
    await isServed(revision);
    expect(await world.ready()).toBe(revision);
    proxy.isOpen = true;
    await world.agentSays('uptodate');
  });

  it('the state directory is private, because the configuration has secrets', async () => {
    await start();
    const { stateDirectory } = world.settings;
    expect(statSync(stateDirectory).mode & 0o777).toBe(0o700);
    for (const file of ['config.json', 'state.json'])
      expect(statSync(join(stateDirectory, file)).mode & 0o777).toBe(0o600);
  });
});

describe('a restarted agent', () => {
  it('adopts the running container without a new deploy', async () => {
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

  it('finds the container by its labels when its state is lost', async () => {
    const revision = await start();
    await world.agentSays('uptodate');
    const [container] = onlyContainer();
    await world.stopAgent();
    rmSync(world.settings.stateDirectory, { recursive: true });
    expect(await start()).toBe(revision);
    expect(onlyContainer()).toEqual([container]);
    await isServed(revision);
  });

  it('removes the containers of an interrupted deploy', async () => {
    const revision = await start();
    await world.stopAgent();
    const [serving] = engine.running;
    const { containers } = engine.asEngine();
    const labels = { ...serving?.spec.labels, 'almanac.revision': '9999999999' };
    await containers.start(await containers.create({ ...serving!.spec, name: 'left', labels }));
    expect(await start()).toBe(revision);
    expect(onlyContainer()).toEqual([serving?.id]);
  });

  it('ignores a damaged state file', async () => {
    const revision = await start();
    await world.stopAgent();
    writeFileSync(join(world.settings.stateDirectory, 'state.json'), '{"agentId":');
    expect(await start()).toBe(revision);
  });
});

describe('a container', () => {
  it('that was removed is created again', async () => {
    const revision = await start();
    const [container = ''] = onlyContainer();
    await engine.remove(container);
    await isServed(revision);
    await world.agentSays('uptodate');
    expect(onlyContainer()).not.toContain(container);
  });

  it.each(['dead', 'paused'] as const)('that is %s is replaced', async (state) => {
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

  it('that was stopped by hand is started again and served at its new address', async () => {
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

it('the agent logs an unreachable engine once and keeps forwarding', async () => {
  const revision = await start();
  engine.isUnreachable = true;
  await eventually(
    async () => linesWith('pass failed').length,
    (count) => count === 1,
  );
  await isServed(revision);
  engine.isUnreachable = false;
  await world.update(section('web:2'));
  await eventually(
    async () => engine.running.map(({ spec }) => spec.image).join(),
    (images) => images === 'web:2',
  );
});

describe('a spot notice', () => {
  const events = async () => (await world.reports()).filter(({ status }) => status === 'spot_terminate');

  it('is reported once, removes the ready file and, after the grace period, refuses only new connections', async () => {
    await start();
    await world.agentSays('uptodate');
    const open = request({ port, host: '127.0.0.1', path: '/', method: 'POST' });
    const answered = new Promise((resolve, reject) => open.on('response', resolve).on('error', reject));
    open.write('first half');
    writeFileSync(world.spotNotice, JSON.stringify({ action: 'terminate', time: '2030-01-01T00:02:00Z' }));
    await eventually(events, (found) => found.length === 1);
    await eventually(
      async () => world.readyRevision,
      (revision) => revision === undefined,
    );
    await eventually(
      () =>
        world.get(port).then(
          () => 'accepted',
          () => 'refused',
        ),
      (result) => result === 'refused',
    );
    open.end('second half');
    await expect(answered).resolves.toMatchObject({ statusCode: 200 });
    expect(await events()).toMatchObject([{ message: expect.stringContaining('at 2030-01-01T00:02:00Z') }]);
    expect(linesWith('spot notice reported')).toHaveLength(1);
  });

  it('is reported again until Almanac accepts it', async () => {
    await start();
    proxy.interrupt();
    writeFileSync(world.spotNotice, '');
    await eventually(
      async () => linesWith('cannot report the spot notice').length,
      (count) => count === 1,
    );
    proxy.isOpen = true;
    await eventually(events, (found) => found.length === 1);
  });
});
