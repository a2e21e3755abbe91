import { describe, expect, it, onTestFinished } from 'vitest';
import type { Service } from '../../../src/operations/service.ts';
import { readDrift, startDriftCheck } from '../../../src/operations/stacks/read/drift.ts';
import { listSummaries } from '../../../src/store/stacks/summaries.ts';
import type { Drift } from '../../../src/vendors/drift.ts';
import { accepted, type Vendor } from '../../../src/vendors/vendor.ts';
import { oneServer, World } from '../../world.ts';

/** A world whose simulated cloud can also check for drift, with the result that the test sets. */
async function setUp() {
  const world = await World.open();
  onTestFinished(world.close);
  const cloud: { drift: Drift; whileReading: () => Promise<unknown> } = {
    drift: { state: 'never_checked', checkedAt: null, reason: '', resources: [] },
    whileReading: async () => {},
  };
  const verbs = {
    startDriftCheck: async () => accepted,
    readDrift: async () => {
      await cloud.whileReading();
      return cloud.drift;
    },
  };
  const sandbox = world.service.vendors.get('sandbox') as Vendor;
  const vendor: Vendor = {
    ...sandbox,
    connect: (access) => Object.assign(sandbox.connect(access), verbs),
  };
  const service: Service = { ...world.service, vendors: new Map([['sandbox', vendor]]) };
  const stackId = await world.create();
  await world.settle();
  const listed = async () => {
    const [stack] = await listSummaries(world.database.query, world.actor.accountId, {});
    return stack?.drift_state ?? null;
  };
  const check = (state: Drift['state']) => {
    world.clock.advance(1000);
    cloud.drift = { ...cloud.drift, state, checkedAt: state === 'checking' ? null : world.clock.now() };
  };
  return {
    world,
    cloud,
    stackId,
    listed,
    check,
    start: () => startDriftCheck(service, world.actor, stackId),
    read: () => readDrift(service, world.actor, stackId),
  };
}

describe('the drift of a stack in lists', () => {
  it('is the last result that a user asked for', async () => {
    const { check, read, listed } = await setUp();
    expect(await listed()).toBeNull();
    for (const state of ['drifted', 'in_sync'] as const) {
      check(state);
      await read();
      expect(await listed()).toBe(state);
    }
  });

  it('is never a check in progress, which nobody may ever read the end of', async () => {
    const { check, start, read, listed } = await setUp();
    await start();
    expect(await listed()).toBeNull();
    check('drifted');
    await read();
    await start();
    check('checking');
    expect((await read()).state).toBe('checking');
    expect(await listed()).toBe('drifted');
  });

  it('is forgotten when another version is requested, and a check from before it does not count again', async () => {
    const { world, stackId, check, read, listed } = await setUp();
    check('drifted');
    await read();
    world.clock.advance(1000);
    await world.update(stackId, oneServer(2));
    expect(await listed()).toBeNull();
    await world.settle();
    expect((await read()).state).toBe('drifted');
    expect(await listed()).toBeNull();
    check('in_sync');
    await read();
    expect(await listed()).toBe('in_sync');
  });

  it('does not become a result that was on its way while another version was requested', async () => {
    const { world, cloud, stackId, check, read, listed } = await setUp();
    check('drifted');
    cloud.whileReading = () => {
      world.clock.advance(1000);
      return world.update(stackId, oneServer(2));
    };
    expect((await read()).state).toBe('drifted');
    expect(await listed()).toBeNull();
  });
});
