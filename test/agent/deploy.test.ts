import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, type ContainerSection, secrets } from './world/agent-world.ts';
import { freePort, PretendEngine } from './world/pretend-engine.ts';

let almanac: ServedAlmanac;
let engine: PretendEngine;
let world: AgentWorld;
let port: number;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
});
afterAll(() => almanac.close());
beforeEach(async () => {
  engine = new PretendEngine();
  engine.images.set('web:1', 'web').set('web:2', 'web').set('mute:1', 'mute').set('crash:1', 'crash');
  port = await freePort();
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  await engine.close();
});

const section = (changes: ContainerSection = {}): ContainerSection => ({
  container_image: 'web:1',
  container_registry_username: 'robot',
  container_registry_password: secrets.registry,
  container_ports: [port],
  container_env_vars: { GREETING: secrets.environment, DATABASE_PASSWORD: secrets.environment },
  container_addons: [{ name: 'mackerel', api_key: secrets.addon }],
  ...changes,
});
const start = async (container: ContainerSection | undefined, settings = {}) => {
  world = await AgentWorld.open(almanac, engine.asEngine(), container, settings);
  await world.startAgent();
};
const revisionServed = async () => (await world.get(port)).revision;

describe('an agent on a new instance', () => {
  it('registers, runs what the layer says and reports until it is complete', async () => {
    await start(section());
    const revision = await world.ready();
    await world.agentSays('uptodate');
    expect(await revisionServed()).toBe(revision);
    expect(await world.statusesOf('Container')).toEqual(['starting', 'updating', 'running', 'complete']);
    expect(await world.statusesOf('Agent')).toEqual(['starting', 'installing', 'uptodate']);
  });

  it('holds the ports of the image where nobody names any', async () => {
    engine.exposedPorts = [`${port}/tcp`, '53/udp'];
    await start(section({ container_ports: [] }));
    const revision = await world.ready();
    expect(await revisionServed()).toBe(revision);
  });

  it('gives the container its variables, labels, storage and the registry its login', async () => {
    await start(section({ container_storage: { type: 'local', mountpath: '/mnt/storage' } }));
    const revision = await world.ready();
    const { stackId } = world;
    const [container] = engine.running;
    expect(container?.spec).toMatchObject({
      image: 'web:1',
      restart: 'unless-stopped',
      environment: {
        GREETING: secrets.environment,
        MO_STACK_ID: stackId,
        MO_USER_ID: stackId.split('-')[1],
        ALM_STACK_ID: stackId,
        ALM_FLAG: 'web01',
        ALM_INSTANCE_ID: 'i-0001',
      },
      labels: {
        'almanac.stack': stackId,
        'almanac.flag': 'web01',
        'almanac.instance': 'i-0001',
        'almanac.kind': 'app',
        'almanac.revision': String(revision),
      },
      mounts: [{ kind: 'volume', volume: 'i-0001-storage', target: '/mnt/storage' }],
    });
    expect(engine.volumes.get('i-0001-storage')).toMatchObject({ 'almanac.stack': stackId });
    expect(engine.logins).toContainEqual({ username: 'robot', password: secrets.registry });
  });

  it('is ready at once when the layer has no container', async () => {
    await start(undefined);
    expect(await world.ready()).toBeNull();
    await world.agentSays('uptodate');
    expect(engine.containers.size).toBe(0);
  });

  it('says so when the container has no image', async () => {
    await start(section({ container_image: undefined }));
    expect(await world.agentSays('error')).toContain('has no image');
    expect(world.readyRevision).toBeUndefined();
  });

  it('says so when a shared file system is not mounted', async () => {
    await start(section({ container_storage: { type: 'efs', id: 'fs-12345678', mountpath: '/mnt/none' } }));
    expect(await world.agentSays('error')).toContain('fs-12345678 is not mounted');
  });
});

describe('a new revision', () => {
  it('takes over without one failed request, and the old container goes', async () => {
    await start(section());
    const before = await world.ready();
    const seen: (number | string)[] = [];
    const asking = (async () => {
      while (!seen.includes('end') && seen.length < 5000)
        seen.push(await revisionServed().catch((error: unknown) => String(error)));
    })();
    await world.update(section({ container_image: 'web:2' }));
    const after = await eventually(
      async () => world.readyRevision,
      (revision) => revision !== before,
    );
    await eventually(revisionServed, (revision) => revision === after);
    await eventually(
      async () => engine.containers.size,
      (count) => count === 1,
    );
    seen.push('end');
    await asking;
    expect(new Set(seen)).toEqual(new Set([before, after, 'end']));
    expect(seen.lastIndexOf(before as number)).toBeLessThan(seen.indexOf(after as number));
    expect(engine.running.map(({ spec }) => spec.image)).toEqual(['web:2']);
  });

  it('lets what the old one is at come to its end', async () => {
    await start(section());
    const before = await world.ready();
    const slow = world.get(port, '/slow');
    await world.update(section({ container_image: 'web:2' }));
    expect((await slow).revision).toBe(before);
    await eventually(revisionServed, (revision) => revision !== before);
  });

  it('may have other ports', async () => {
    await start(section());
    const before = await world.ready();
    const other = await freePort();
    await world.update(section({ container_ports: [other] }));
    await eventually(
      async () => world.readyRevision,
      (revision) => revision !== before,
    );
    expect((await world.get(other)).revision).not.toBe(before);
    await expect(world.get(port)).rejects.toThrow();
  });

  it('without a container ends what ran', async () => {
    await start(section());
    await world.ready();
    await world.update(undefined);
    await eventually(
      async () => [engine.containers.size, world.readyRevision],
      ([count, revision]) => count === 0 && revision === null,
    );
    await expect(world.get(port)).rejects.toThrow();
  });
});

describe('a deploy that fails', () => {
  it.each([
    ['does not listen', 'mute:1', /did not accept connections on port \d+ within 1 s/],
    ['ends at once', 'crash:1', /ended with exit code 1 .* It wrote: \[hidden\] no database/],
    ['has no image', 'absent:1', /Image absent:1 cannot be pulled: manifest unknown/],
  ])('because the container %s keeps the last good one and says why, once', async (_, image, reason) => {
    await start(section());
    const before = await world.ready();
    await world.update(section({ container_image: image }));
    const message = await world.agentSays('error');
    expect(message).toMatch(reason);
    expect(message).toContain(`Revision ${before} goes on serving.`);
    await eventually(
      async () => world.state.failed?.failures ?? 0,
      (failures) => failures >= 2,
    );
    expect(await revisionServed()).toBe(before);
    expect(world.readyRevision).toBe(before);
    expect(engine.running.filter(({ spec }) => spec.image !== 'web:1' && spec.image !== image)).toEqual([]);
    expect((await world.statusesOf('Agent')).filter((status) => status === 'error')).toHaveLength(1);
  });

  it('because somebody else holds a port says which', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    await start(section());
    expect(await world.agentSays('error')).toContain(
      `Port ${port} of the instance cannot be held: EADDRINUSE`,
    );
    await new Promise((done) => other.close(done));
    await eventually(
      async () => world.readyRevision,
      (revision) => revision !== undefined,
    );
    expect(await revisionServed()).toBe(world.readyRevision);
  });

  it('is forgotten as soon as there is a newer revision', async () => {
    await start(section({ container_image: 'absent:1' }), { retrySeconds: 3000 });
    await world.agentSays('error');
    await world.update(section());
    await world.agentSays('uptodate');
    expect(await revisionServed()).toBe(world.readyRevision);
    expect(world.state.failed).toBeNull();
  });
});
