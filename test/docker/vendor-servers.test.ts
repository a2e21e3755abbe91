import { Client } from 'ssh2';
import { afterAll, describe, expect, it } from 'vitest';
import { type StackOnVendor, Unreachable } from '../../src/vendors/vendor.ts';
import { eventually } from '../http.ts';
import { database } from '../vendors/docker/documents.ts';
import { fixedServers, sampleLayer, sampleModel } from '../vendors/sample-model.ts';
import { accessWith, outputIn, VendorWorld, viewOf, type WorldOptions } from './world/vendor-world.ts';

const worlds: VendorWorld[] = [];
const newWorld = (options?: WorldOptions) => {
  const world = new VendorWorld(options);
  worlds.push(world);
  return world;
};
afterAll(async () => {
  for (const world of worlds) await world.clear();
});

/** Runs a command by ssh with the key. */
const ssh = (host: string, privateKey: string, command: string) =>
  new Promise<string>((resolve, reject) => {
    const client = new Client();
    client.on('error', reject);
    client.on('ready', () =>
      client.exec(command, (error, stream) => {
        if (error) return reject(error);
        let text = '';
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
        stream.on('close', () => (client.end(), resolve(text.trim())));
      }),
    );
    client.connect({ host, username: 'ec2-user', privateKey });
  });

describe('a server without a group', () => {
  it('accepts ssh with the key of its layer only', async () => {
    const world = newWorld({ agent: 'none' });
    const stack = world.newStack();
    const layers = [sampleLayer(), sampleLayer({ flag: 'Closed', keyPair: false })];
    const view = await world.make(stack, sampleModel({ layers }));
    const addresses = Object.fromEntries(view.instances.map(({ flag, privateIp }) => [flag, privateIp]));
    expect(outputIn(view, 'Address')).toBe(addresses['Web0']);
    expect(view.instances.map(({ keyName }) => keyName)).toEqual([null, `${stack.id}-Web0`]);
    const key = (await world.driver.readPrivateKey?.(stack, 'Web0'))?.reveal() ?? '';
    expect(await ssh(addresses['Web0'] ?? '', key, 'echo hello from $(hostname)')).toBe('hello from web0-0');
    await expect(ssh(addresses['Closed'] ?? '', key, 'true')).rejects.toThrow(/authentication/i);
    expect(await world.driver.readPrivateKey?.(stack, 'Closed')).toBeUndefined();
    expect(await world.driver.readPrivateKey?.(world.newStack(), 'Web0')).toBeUndefined();
  });

  it('is rebooted on a restart and keeps its id and disk', async () => {
    const world = newWorld();
    const stack = world.newStack();
    const { instances } = await world.make(stack, fixedServers(1));
    const [before] = instances;
    await world.exec(stack, 'web0-0', 'touch', '/root/kept');
    const answer = await world.driver.restartInstance?.(stack, before?.id ?? '');
    expect(answer).toEqual({ accepted: true, protectionSeconds: null });
    const after = await world.settle(stack);
    expect(after.instances).toMatchObject([{ id: before?.id, state: 'running' }]);
    expect((await world.exec(stack, 'web0-0', 'ls', '/root')).stdout).toContain('kept');
  });

  it('shares files with the servers of its layer, and the files outlive the servers', async () => {
    const world = newWorld();
    const stack = world.newStack();
    const storage = { kind: 'efs', id: null, mountPath: '/data' } as const;
    const container = { ...plainContainer, storage };
    await world.make(stack, fixedServers(2, { container }));
    await world.exec(stack, 'web0-0', 'sh', '-c', 'echo shared > /data/file');
    expect((await world.exec(stack, 'web0-1', 'cat', '/data/file')).stdout).toBe('shared\n');
    await world.make(stack, fixedServers(1, { container, instanceType: 'm5.large' }), 'v2');
    expect((await world.exec(stack, 'web0-0', 'cat', '/data/file')).stdout).toBe('shared\n');
    expect((await world.count(stack)).volumes).toBe(1);
  });
});

const plainContainer = {
  image: 'library/some:1',
  registryUsername: null,
  registryPasswordSecret: null,
  codeDirectory: null,
  codeSource: 'git',
  gitRepository: null,
  gitReference: 'main',
  gitPrivateKeySecret: null,
  ports: [80],
  environment: {},
  users: [],
  addons: [],
  storage: null,
} as const;

describe('a new Almanac process', () => {
  it('continues from the state of the engine, after every single call', async () => {
    const first = newWorld();
    const stack = first.newStack();
    const model = (servers: number) =>
      sampleModel({
        layers: [sampleLayer({ capacity: { kind: 'fixed', count: servers } })],
        databases: [database({ replicas: 0 })],
      });
    const until = async (
      expected: string,
      call: (world: VendorWorld, stack: StackOnVendor) => Promise<unknown>,
    ) => {
      for (let pass = 0; pass < 100; pass += 1) {
        const world = new VendorWorld();
        const seen = await world.driver.observe(stack);
        if (seen.kind === expected) return viewOf(seen);
        if (seen.kind !== 'busy') await call(world, stack);
      }
      throw new Error('The stack does not converge.');
    };
    await first.apply(stack, model(2), 'v1');
    const view = await until('settled', (world) => world.apply(stack, model(2), 'v1'));
    expect(view).toMatchObject({ instances: [{ state: 'running' }, { state: 'running' }] });
    expect(await first.count(stack)).toEqual({ containers: 4, networks: 1, volumes: 1 });
    await until('absent', (world) => world.remove(stack, 'delete'));
    expect(await first.count(stack)).toEqual({ containers: 0, networks: 0, volumes: 0 });
  });

  it('keeps the instances when the markers were removed by hand', async () => {
    const world = newWorld();
    const stack = world.newStack();
    const { instances } = await world.make(stack, fixedServers(1));
    for (const { id } of await world.containersOf(stack, { 'almanac.kind': 'stack' }))
      await world.engine.containers.remove(id);
    expect(await world.driver.observe(stack)).toMatchObject({ kind: 'unfinished', version: '' });
    const after = await world.settle(stack);
    expect(after.instances.map(({ id }) => id)).toEqual(instances.map(({ id }) => id));
  });
});

describe('a docker credential', () => {
  it('uses the engine the operator configured, whatever its secret says', async () => {
    const { vendor } = new VendorWorld();
    expect(await vendor.verify?.(accessWith('anything'))).toEqual({ accepted: true });
    expect(await vendor.verify?.(accessWith('unix:///nowhere/engine.sock'))).toEqual({ accepted: true });
  });

  it('of an unreachable engine is reported as such, and its stacks are unreachable', async () => {
    const { vendor } = new VendorWorld({ socketPath: '/nowhere/engine.sock' });
    const any = accessWith('anything');
    expect(JSON.stringify(await vendor.verify?.(any))).toContain('/nowhere/engine.sock');
    const driver = vendor.connect(any);
    const stack = { id: 'mo-test-none-tk', accountId: 'test', region: 'local' };
    expect((await driver.observe(stack)).kind).toBe('unreachable');
    await expect(driver.remove(stack, { releases: [], intent: 'delete 1' })).rejects.toBeInstanceOf(
      Unreachable,
    );
  });
});

describe('a docker stack', () => {
  it('breaks with the last log lines of a container that restarts repeatedly', async () => {
    const world = newWorld({ agent: 'on signal' });
    const stack = world.newStack();
    await world.apply(stack, fixedServers(1), 'v1');
    await world.drive(stack, ({ kind }) => kind === 'busy');
    const seen = await eventually(
      async () => {
        // The container exits with sshd.
        await world.exec(stack, 'web0-0', 'pkill', 'sshd').catch(() => undefined);
        return world.driver.observe(stack);
      },
      ({ kind }) => kind === 'broken',
    );
    expect(seen).toMatchObject({ doing: 'apply', version: 'v1', terminal: true });
    expect(JSON.stringify(seen)).toMatch(/exited \d+ times.*sshd exited/);
  });

  it('is refused at once if the engine lacks an image', async () => {
    const world = newWorld();
    const stack = world.newStack();
    const { images } = world.engine;
    await images.tag('almanac/redis', 'almanac-kept/redis');
    await images.remove('almanac/redis', { force: true });
    const caches = [{ name: 'c', engine: 'redis', nodeType: 'small', nodes: 1 } as const];
    const answer = await world.apply(stack, sampleModel({ layers: [], caches }), 'v1');
    await images.tag('almanac-kept/redis', 'almanac/redis');
    await images.remove('almanac-kept/redis');
    expect(answer).toMatchObject({ accepted: false });
    expect(JSON.stringify(answer)).toMatch(/almanac\/redis.*images\/build\.sh/);
    expect((await world.driver.observe(stack)).kind).toBe('absent');
  });
});
