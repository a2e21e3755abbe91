import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { fixedServers, sampleGroup, sampleModel } from '../sample-model.ts';
import { longEnough, sandboxWorld, stackNamed } from './world.ts';

const group = (members: number) => sampleModel({ layers: [sampleGroup(members, 0)] });

const start = async (model = group(2), speed = 1) => {
  const world = sandboxWorld(speed);
  const on = world.on(stackNamed('hook'));
  const { driver, clock } = world;
  await on.apply(model, 'v1');
  clock.advance(longEnough);
  return {
    ...world,
    ...on,
    put: async (seconds: number) => driver.putLifecycleHook?.(on.stack, seconds),
    read: async () => driver.readLifecycleHook?.(on.stack),
    restart: async (instanceId: string) => driver.restartInstance?.(on.stack, instanceId),
    ids: async () => (await on.view()).instances.map(({ id }) => id),
    lastStates: async (count: number) => (await on.view()).events.slice(-count).map(({ state }) => state),
  };
};

describe('a lifecycle hook', () => {
  it('does not exist until it is set; the last one set wins', async () => {
    const { put, read } = await start();
    expect(await read()).toBeUndefined();
    expect(await put(3600)).toEqual({ accepted: true });
    expect(await read()).toEqual({ heartbeatSeconds: 3600, globalTimeoutSeconds: 172_800 });
    await put(30);
    expect(await read()).toEqual({ heartbeatSeconds: 30, globalTimeoutSeconds: 3000 });
  });

  it('survives updates, and is removed with the stack', async () => {
    const { put, read, apply, remove, clock } = await start();
    await put(60);
    await apply(fixedServers(1), 'v2');
    clock.advance(longEnough);
    await apply(group(3), 'v3');
    clock.advance(longEnough);
    expect(await read()).toMatchObject({ heartbeatSeconds: 60 });
    await remove();
    clock.advance(longEnough);
    expect(await read()).toBeUndefined();
    await apply(group(3), 'v4');
    clock.advance(longEnough);
    expect(await read()).toBeUndefined();
  });

  it('is refused without an autoscaling group', async () => {
    const { put, read } = await start(fixedServers(1));
    expect(await put(60)).toMatchObject({ accepted: false, reason: expect.stringContaining('group') });
    expect(await read()).toBeUndefined();
    const { driver } = sandboxWorld();
    expect(await driver.putLifecycleHook?.(stackNamed('unknown'), 60)).toMatchObject({ accepted: false });
  });

  it('does not exist in records older than hooks', async () => {
    const { cloud, stack, read, put } = await start();
    const { stack: stored } = await cloud.read(`${stack.accountId}/cred`, stack.id);
    expect(stored && 'lifecycleHook' in stored).toBe(false);
    expect(await read()).toBeUndefined();
    expect(await put(60)).toEqual({ accepted: true });
  });
});

describe('restarting a member of a group', () => {
  it('launches a replacement at once, and terminates the old one after the protection period', async () => {
    const { put, restart, view, observe, ids, lastStates, clock } = await start();
    await put(60);
    const [old = '', other = ''] = await ids();
    expect(await restart(old)).toEqual({ accepted: true, protectionSeconds: 60 });
    expect((await observe()).kind).toBe('settled');
    clock.advance(10_000);
    const during = await view();
    expect(during.instances.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
    clock.advance(49_000);
    expect(await ids()).toContain(old);
    clock.advance(2_000);
    expect((await view()).instances).toContainEqual(
      expect.objectContaining({ id: old, state: 'shutting-down' }),
    );
    clock.advance(10_000);
    expect(await ids()).toHaveLength(2);
    expect(await ids()).toContain(other);
    expect(await ids()).not.toContain(old);
    expect(await lastStates(5)).toEqual([
      'REMOVED_FROM_GROUP',
      'REPLACEMENT_LAUNCHED',
      'REPLACEMENT_IN_SERVICE',
      'DRAINING',
      'TERMINATED',
    ]);
  });

  it('protects for 3600 seconds without a hook', async () => {
    const { restart, ids, clock } = await start();
    const [old = ''] = await ids();
    expect(await restart(old)).toEqual({ accepted: true, protectionSeconds: 3600 });
    clock.advance(3_590_000);
    expect(await ids()).toContain(old);
    clock.advance(20_000);
    expect(await ids()).not.toContain(old);
  });

  it('takes no time at speed 0', async () => {
    const { restart, ids } = await start(group(2), 0);
    const [old = ''] = await ids();
    await restart(old);
    expect(await ids()).toHaveLength(2);
    expect(await ids()).not.toContain(old);
  });

  it('happens once when it is repeated while the member is leaving', async () => {
    const { restart, ids, clock } = await start();
    const [old = ''] = await ids();
    const before = await ids();
    for (let time = 0; time < 3; time += 1) {
      expect(await restart(old)).toEqual({ accepted: true, protectionSeconds: 3600 });
      clock.advance(5_000);
    }
    expect((await ids()).filter((id) => !before.includes(id))).toHaveLength(1);
  });

  it('leaves no resources behind when an update or a removal follows', async () => {
    const { restart, apply, remove, observe, ids, networks, clock } = await start();
    await restart((await ids())[0] ?? '');
    clock.advance(1_000);
    await apply(group(3), 'v2');
    clock.advance(longEnough);
    expect((await observe()).kind).toBe('settled');
    expect(await ids()).toHaveLength(3);
    await restart((await ids())[0] ?? '');
    clock.advance(10_000);
    await remove();
    clock.advance(60_000); // far less than the protection
    expect(await observe()).toMatchObject({ kind: 'absent', view: { instances: [] } });
    expect(await networks()).toBe(0);
  });
});

describe('restarting a server without a group', () => {
  it('reboots it: it keeps id and address, and has two events', async () => {
    const { restart, view, observe, lastStates, clock } = await start(fixedServers(1));
    const before = (await view()).instances;
    expect(await restart(before[0]?.id ?? '')).toEqual({ accepted: true, protectionSeconds: null });
    expect((await observe()).kind).toBe('settled');
    clock.advance(longEnough);
    expect((await view()).instances).toEqual(before);
    expect(await lastStates(2)).toEqual(['REBOOTING', 'REBOOTED']);
  });
});

describe('restarting an unknown instance', () => {
  it('is refused', async () => {
    const { restart } = await start();
    expect(await restart('i-none')).toEqual({ accepted: false, reason: 'There is no instance i-none.' });
  });
});

it('the sandbox accepts every key', async () => {
  const { vendor } = sandboxWorld();
  const access = {
    accountId: 'a',
    credentialId: 'any',
    secret: new Secret('any'),
    role: null,
    authUrl: null,
  };
  expect(await vendor.verify?.(access)).toEqual({ accepted: true });
});
