import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { AgentWorld, type ContainerSection, secrets } from './world/agent-world.ts';
import { FakeEngine, freePort } from './world/fake-engine.ts';

const almanac = useServedAlmanac();
let engine: FakeEngine;
let world: AgentWorld;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
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
  it('registers, deploys the container of the layer and reports each step', async () => {
    await start(section());
    const revision = await world.ready();
    await world.agentSays('uptodate');
    expect(await revisionServed()).toBe(revision);
    await eventually(
      () => world.statusesOf('Container'),
      (statuses) => statuses.join() === 'starting,updating,running,complete',
    );
    expect(await world.statusesOf('Agent')).toEqual(['starting', 'installing', 'uptodate']);
  });

  it('listens on the exposed ports of the image when the layer has no ports', async () => {
    engine.exposedPorts = [`${port}/tcp`, '53/udp'];
    await start(section({ container_ports: [] }));
    const revision = await world.ready();
    expect(await revisionServed()).toBe(revision);
  });

  it('passes variables, labels and storage to the container and the login to the registry', async () => {
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

  it('is ready immediately when the layer has no container', async () => {
    await start(undefined);
    expect(await world.ready()).toBeNull();
    await world.agentSays('uptodate');
    expect(engine.containers.size).toBe(0);
  });

  it('reports an error when the container has no image', async () => {
    await start(section({ container_image: undefined }));
    expect(await world.agentSays('error')).toContain('has no image');
    expect(world.readyRevision).toBeUndefined();
  });

  it('reports an error when a shared file system is not mounted', async () => {
    await start(section({ container_storage: { type: 'efs', id: 'fs-12345678', mountpath: '/mnt/none' } }));
    expect(await world.agentSays('error')).toContain('fs-12345678 is not mounted');
  });
});

describe('a new revision', () => {
  it('takes over without a failed request, and the old container is removed', async () => {
    await start(section());
    const before = await world.ready();
    const responses: (number | string)[] = [];
    const requesting = (async () => {
      while (!responses.includes('end') && responses.length < 5000)
        responses.push(await revisionServed().catch((error: unknown) => String(error)));
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
    responses.push('end');
    await requesting;
    expect(new Set(responses)).toEqual(new Set([before, after, 'end']));
    expect(responses.lastIndexOf(before as number)).toBeLessThan(responses.indexOf(after as number));
    expect(engine.running.map(({ spec }) => spec.image)).toEqual(['web:2']);
  });

  it('lets the old container finish open requests', async () => {
    await start(section());
    const before = await world.ready();
    const slow = world.get(port, '/slow');
    await world.update(section({ container_image: 'web:2' }));
    expect((await slow).revision).toBe(before);
    await eventually(revisionServed, (revision) => revision !== before);
  });

  it('can change the ports', async () => {
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

  it('without a container removes the old container', async () => {
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

describe('a deploy whose container does not listen yet', () => {
  it('ends as soon as there is a newer revision, which serves without waiting for the time of the health check', async () => {
    await start(section(), { healthSeconds: 600 });
    await world.ready();
    await world.update(section({ container_image: 'mute:1' }));
    await eventually(
      async () => engine.running.map(({ spec }) => spec.image),
      (images) => images.includes('mute:1'),
    );
    await world.update(section({ container_image: 'web:2' }));
    await eventually(
      async () => engine.running.map(({ spec }) => spec.image),
      (images) => images.join() === 'web:2',
    );
    expect(await world.statusesOf('Agent')).not.toContain('error');
  });
});

describe('a failed deploy', () => {
  it.each([
    ['does not listen', 'mute:1', /did not accept connections on port \d+ within 1 s/],
    ['exits immediately', 'crash:1', /The container exited with code 1 and was restarted 5 times\./],
    ['has no image', 'absent:1', /Cannot pull image absent:1: manifest unknown/],
  ])(
    'because the container %s keeps the last good one and reports the reason once',
    async (_, image, reason) => {
      await start(section());
      const before = await world.ready();
      await world.update(section({ container_image: image }));
      const message = await world.agentSays('error');
      expect(message).toMatch(reason);
      expect(message).toContain(`Revision ${before} is still serving.`);
      await eventually(
        async () => world.state.failed?.failures ?? 0,
        (failures) => failures >= 2,
      );
      expect(await revisionServed()).toBe(before);
      expect(world.readyRevision).toBe(before);
      expect(engine.running.filter(({ spec }) => spec.image !== 'web:1' && spec.image !== image)).toEqual([]);
      expect((await world.statusesOf('Agent')).filter((status) => status === 'error')).toHaveLength(1);
    },
  );

  it('because another program uses a port names the port, and is retried', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    await start(section());
    expect(await world.agentSays('error')).toContain(
      `Cannot listen on port ${port} of the instance: EADDRINUSE`,
    );
    await new Promise((done) => other.close(done));
    await eventually(
      async () => world.readyRevision,
      (revision) => revision !== undefined,
    );
    expect(await revisionServed()).toBe(world.readyRevision);
  });

  it('does not delay a newer revision', async () => {
    await start(section({ container_image: 'absent:1' }), { retrySeconds: 3000 });
    await world.agentSays('error');
    await world.update(section());
    await world.agentSays('uptodate');
    expect(await revisionServed()).toBe(world.readyRevision);
    expect(world.state.failed).toBeNull();
  });
});
