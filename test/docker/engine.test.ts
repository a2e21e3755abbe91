import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../src/basics/clock.ts';
import { openEngine } from '../../src/docker-engine/engine.ts';
import {
  EngineError,
  EngineUnreachable,
  ifNew,
  isAddressTaken,
  isConflict,
  isInUse,
  isNotFound,
} from '../../src/docker-engine/errors.ts';
import { eventually } from '../http.ts';
import { EngineWorld } from './world/engine-world.ts';

const world = new EngineWorld();
const { containers, networks, images, system, volumes } = world.engine;
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

let net = '';
let one = '';
let two = '';

beforeAll(async () => {
  net = world.name('net');
  const subnet = { subnet: '10.41.0.0/24', gateway: '10.41.0.1' };
  await networks.create({ name: net, ...subnet, labels: world.labels });
  one = await world.idle({
    name: 'one',
    networks: [{ network: net, address: '10.41.0.11', aliases: ['first'] }],
  });
  two = await world.idle({ name: 'two', networks: [{ network: net, address: '10.41.0.12' }] });
});
afterAll(() => world.clear());

describe('the engine', () => {
  it('reports its kind and version', async () => {
    await system.ping();
    const version = await system.version();
    expect(['docker', 'podman']).toContain(version.kind);
    expect(version.apiVersion).toMatch(/^1\.\d+$/);
  });

  it('is reported as unreachable if the socket does not exist', async () => {
    const nowhere = openEngine({ socketPath: '/tmp/almanac-no-such-socket', clock: realClock });
    expect(await errorOf(nowhere.system.ping())).toBeInstanceOf(EngineUnreachable);
  });
});

describe('engine networks', () => {
  it('are listed by label, with their subnet', async () => {
    const found = await networks.list(world.labels);
    expect(found).toMatchObject([{ name: net, subnet: '10.41.0.0/24', gateway: '10.41.0.1' }]);
    expect(await networks.list({ ...world.labels, other: null })).toEqual([]);
  });

  it('list their containers with fixed addresses', async () => {
    const details = await networks.inspect(net);
    expect(details?.containers.map(({ address }) => address).toSorted()).toEqual([
      '10.41.0.11',
      '10.41.0.12',
    ]);
    expect(await networks.inspect(world.name('unknown'))).toBeUndefined();
  });

  it('resolve names and aliases of containers', async () => {
    expect(await world.stdout(two, 'getent', 'hosts', 'first')).toMatch(/^10\.41\.0\.11\s/);
    expect(await world.stdout(one, 'getent', 'hosts', world.name('two'))).toMatch(/^10\.41\.0\.12\s/);
  });

  it('have unique names, and cannot be removed while in use', async () => {
    const again = networks.create({ name: net, subnet: '10.42.0.0/24' });
    expect(await ifNew(again)).toBe(false);
    const error = await errorOf(networks.remove(net));
    expect([isInUse(error), isNotFound(error)]).toEqual([true, false]);
  });

  it('connect and disconnect an existing container', async () => {
    const other = await world.network('other', '10.43.0.0/24');
    await networks.connect({ network: other, address: '10.43.0.9', aliases: ['guest'] }, one);
    expect((await containers.inspect(one))?.networks).toContainEqual({
      network: other,
      address: '10.43.0.9',
    });
    expect(await networks.disconnect(other, one)).toBe(true);
    expect(await networks.disconnect(other, one)).toBe(false);
    expect([await networks.remove(other), await networks.remove(other)]).toEqual([true, false]);
  });

  it('assign an address to one container only', async () => {
    const third = await world.create({
      name: 'third',
      role: 'instance',
      networks: [{ network: net, address: '10.41.0.12' }],
    });
    expect(isAddressTaken(await errorOf(containers.start(third)))).toBe(true);
    expect(await containers.remove(third)).toBe(true);
  });
});

describe('engine containers', () => {
  it('are inspected and listed as specified', async () => {
    const volume = world.name('volume');
    await volumes.create({ name: volume, labels: world.labels });
    await volumes.create({ name: volume, labels: world.labels });
    const second = await world.network('second', '10.44.0.0/24');
    const id = await world.idle({
      name: 'full',
      environment: { GREETING: 'a=b c' },
      labels: { flavour: 'sweet' },
      hostname: 'pudding',
      networks: [{ network: net }, { network: second, address: '10.44.0.7' }],
      mounts: [
        { kind: 'volume', volume, target: '/data' },
        { kind: 'tmpfs', target: '/scratch' },
      ],
      ports: [{ port: 80, hostAddress: '127.0.0.1' }],
      restart: 'unless-stopped',
      healthcheck: 'none',
      dropCapabilities: ['NET_RAW'],
      memoryMib: 64,
      cpus: 0.5,
      init: false,
    });
    const found = await containers.inspect(world.name('full'));
    expect(found).toMatchObject({
      id,
      name: world.name('full'),
      state: 'running',
      exitCode: null,
      health: null,
    });
    expect(found?.labels).toMatchObject({ flavour: 'sweet', ...world.labels });
    expect(found?.environment).toMatchObject({ GREETING: 'a=b c' });
    expect(found?.networks).toContainEqual({ network: second, address: '10.44.0.7' });
    expect(found?.mounts).toContainEqual({
      kind: 'volume',
      source: volume,
      target: '/data',
      readOnly: false,
    });
    expect(found?.ports).toMatchObject([{ port: 80, protocol: 'tcp', hostAddress: '127.0.0.1' }]);
    expect(found?.startedAt).toBeGreaterThan(Date.UTC(2020));
    const seen = await world.stdout(id, 'sh', '-c', 'hostname; echo "$GREETING"; ls -d /scratch /data');
    expect(seen.split('\n')).toEqual(['pudding', 'a=b c', '/data', '/scratch']);
    const [listed] = await containers.list({ flavour: 'sweet', ...world.labels });
    const { networks: attached, ports, ...plain } = listed ?? {};
    expect(plain).toMatchObject({ id, name: world.name('full'), imageId: found?.imageId, state: 'running' });
    expect(attached).toContainEqual({ network: second, address: '10.44.0.7' });
    expect(ports).toEqual(found?.ports);
    expect(await errorOf(volumes.remove(volume))).toSatisfy(isInUse);
    expect(await containers.remove(id, { force: true })).toBe(true);
    expect([await volumes.remove(volume), await volumes.remove(volume)]).toEqual([true, false]);
  });

  it('can be started, stopped, renamed and removed, each repeatedly', async () => {
    const id = await world.create({
      name: 'lifecycle',
      entrypoint: ['sh', '-c'],
      command: ['read x < /dev/zero; exit 3'],
      role: 'instance',
    });
    expect((await containers.inspect(id))?.state).toBe('created');
    expect([await containers.start(id), await containers.start(id)]).toEqual([true, false]);
    expect(await containers.stop(id, 0)).toBe(true);
    expect(await containers.stop(id, 0)).toBe(false);
    expect(await containers.inspect(id)).toMatchObject({ state: 'exited', exitCode: 137 });
    expect(isConflict(await errorOf(containers.kill(id, 'SIGTERM')))).toBe(true);
    await containers.rename(id, world.name('renamed'));
    expect((await containers.inspect(world.name('renamed')))?.id).toBe(id);
    expect([await containers.remove(id), await containers.remove(id)]).toEqual([true, false]);
    expect(await containers.inspect(id)).toBeUndefined();
  });

  it('have unique names, and are created completely or not at all', async () => {
    const again = world.create({ name: 'one', role: 'instance' });
    expect(isConflict(await errorOf(again))).toBe(true);
    // A container cannot have the host network besides another one.
    const half = world.create({
      name: 'half',
      role: 'instance',
      networks: [{ network: net }, { network: 'host' }],
    });
    expect(await errorOf(half)).toBeInstanceOf(EngineError);
    expect(await containers.inspect(world.name('half'))).toBeUndefined();
  });

  it('can be waited for, and report exit code and log', async () => {
    const id = await world.create({
      name: 'brief',
      role: 'instance',
      entrypoint: ['sh', '-c', 'echo out; echo err >&2; exit 7'],
    });
    await containers.start(id);
    expect(await containers.wait(id)).toBe(7);
    expect(await containers.inspect(id)).toMatchObject({ state: 'exited', exitCode: 7 });
    const log = await containers.logs(id, 10);
    expect(log.split('\n').toSorted()).toEqual(['', 'err', 'out']);
  });

  it('stop being waited for when the caller aborts', async () => {
    const stop = new AbortController();
    const waiting = errorOf(containers.wait(one, stop.signal));
    stop.abort(new Error('aborted'));
    expect(await waiting).toMatchObject({ message: 'aborted' });
  });

  it('emit events', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { action } of system.events({ watched: 'yes' }, stop.signal)) seen.push(action);
    })();
    // The engine does not acknowledge the subscription: repeat until the first event arrives.
    await eventually(
      async () => {
        const id = await world.create({ name: 'watched', role: 'instance', labels: { watched: 'yes' } });
        await containers.remove(id);
        return seen;
      },
      (actions) => actions.includes('create') && actions.includes('destroy'),
    );
    stop.abort();
    await following;
  });
});

describe('engine images', () => {
  it('can be inspected, tagged and removed', async () => {
    expect(await images.inspect('almanac/redis')).toMatchObject({ exposedPorts: ['6379/tcp'] });
    const reference = `${world.prefix}/copy:v1`;
    await images.tag('almanac/redis', reference);
    expect((await images.inspect(reference))?.id).toBe((await images.inspect('almanac/redis'))?.id);
    expect([await images.remove(reference), await images.remove(reference)]).toEqual([true, false]);
  });

  it('that cannot be pulled give an error with the address of the registry', async () => {
    const error = await errorOf(images.pull('127.0.0.1:1/no/such:v1'));
    expect(error).toBeInstanceOf(EngineError);
    expect((error as Error).message).toContain('127.0.0.1:1');
  });
});
