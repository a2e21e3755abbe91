import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Secret } from '../../../src/basics/secret.ts';
import { openEngine } from '../../../src/docker-engine/engine.ts';
import { EngineError } from '../../../src/docker-engine/errors.ts';
import type { Engine } from '../../../src/docker-engine/types.ts';
import { dockerVendor } from '../../../src/vendors/docker/vendor.ts';
import { type Driver, Unreachable } from '../../../src/vendors/vendor.ts';
import { everything } from './documents.ts';

const stack = { id: 'mo-5447826c870e7-look-tk', accountId: 'a', region: 'local' };
const clock = new VirtualClock();

const driverOn = (engine: Engine): Driver =>
  dockerVendor({
    clock,
    engineAt: () => engine,
    socketPath: '/nonexistent/engine.sock',
    imagePrefix: 'almanac',
    agent: async () => null,
    serverSocket: null,
    serverUrl: () => 'http://almanac.test',
    publishAddress: '127.0.0.1',
    keepDays: 30,
  }).connect({ accountId: 'a', credentialId: 'local', secret: new Secret(''), role: null, authUrl: null });

const apply = (driver: Driver) =>
  driver.apply(stack, { document: everything(1), version: 'v1', agentToken: new Secret('t') });

/** An engine whose every list fails with the error. */
const failing = (error: Error): Engine => {
  const list = async () => Promise.reject(error);
  return { containers: { list }, networks: { list }, volumes: { list } } as unknown as Engine;
};

describe('a container engine', () => {
  it('that nothing listens for is unreachable', async () => {
    const driver = driverOn(openEngine({ socketPath: '/nonexistent/engine.sock', clock }));
    expect(await driver.observe(stack)).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('ENOENT'),
    });
    await expect(apply(driver)).rejects.toBeInstanceOf(Unreachable);
    await expect(driver.remove(stack, { releases: [], intent: 'delete 1' })).rejects.toBeInstanceOf(
      Unreachable,
    );
  });

  it('that fails on its side is retried like an unreachable one, with its message', async () => {
    const driver = driverOn(failing(new EngineError(500, 'no space left on device', 'GET /containers/json')));
    expect(await driver.observe(stack)).toEqual({ kind: 'unreachable', reason: 'no space left on device' });
    await expect(apply(driver)).rejects.toBeInstanceOf(Unreachable);
  });

  it('is not called unreachable because of a bug in Almanac', async () => {
    const bug = new TypeError("Cannot read properties of undefined (reading 'id')");
    const driver = driverOn(failing(bug));
    await expect(driver.observe(stack)).rejects.toBe(bug);
    await expect(apply(driver)).rejects.toBe(bug);
    await expect(driver.remove(stack, { releases: [], intent: 'delete 1' })).rejects.toBe(bug);
  });
});
