import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEndpoint } from '../../src/basics/calls/call-limit.ts';
import { Failure } from '../../src/basics/failure.ts';
import { succeed } from '../../src/basics/problem.ts';
import { createAccount } from '../../src/operations/accounts/create-account.ts';
import { reconcileTools } from '../../src/operations/stacks/settle/reconcile-tools.ts';
import { applyTemplate } from '../../src/operations/stacks/submit/apply-template.ts';
import type { Loop } from '../../src/reconcile/loop.ts';
import { userActor } from '../actors.ts';
import { changeSandbox } from '../stand-in-vendor.ts';
import { oneServer, World, written } from '../world.ts';

let world: World;
let loops: Loop[];
let stopping: AbortController;
/** How many calls the silent cloud has received. */
let calls: number;
let isDead: boolean;
beforeEach(async () => {
  world = await World.open();
  loops = [];
  calls = 0;
  isDead = true;
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  let isStopped = false;
  void Promise.all(loops.map((loop) => loop.stop())).then(() => (isStopped = true));
  // A pass that waits for the database sets its timers later.
  await eventually(async () => isStopped, 10_000).toBe(true);
  await world.close();
});

const silence = () =>
  callEndpoint({ vendor: 'sandbox', host: 'dead.example' }, () => {
    calls += 1;
    return isDead ? new Promise<never>(() => {}) : Promise.resolve('an answer');
  });

/** The cloud of the first account accepts calls and never answers. */
const silenceFirst = () =>
  changeSandbox(world.service, {}, (driver) => ({
    async observe(stack) {
      if (stack.accountId === world.actor.accountId) await silence();
      return driver.observe(stack);
    },
  }));

function start(passLimitMs = 30_000): Loop {
  const settings = { ...world.service.settings, passLimitMs };
  const loop = world.worker('one', reconcileTools({ ...world.service, settings, stopping: stopping.signal }));
  loops.push(loop);
  loop.start();
  return loop;
}

/** Moves the clock while the database answers in real time. */
const eventually = (read: () => Promise<unknown>, stepMs = 100) =>
  expect.poll(
    async () => {
      world.clock.advance(stepMs);
      return read();
    },
    { interval: 5, timeout: 30_000 },
  );

async function createElsewhere(): Promise<{ status: () => Promise<string> }> {
  const { id } = await createAccount(world.service, { name: 'Other', username: 'root', password: null });
  const actor = userActor(id, { userId: id, username: 'root' });
  const { stackId } = await applyTemplate(world.service, actor, { template: written(oneServer()) });
  return { status: async () => (await world.row(stackId)).status };
}

describe('a cloud that does not answer', () => {
  it('keeps no stack of another account from its cloud, however many stacks wait for it', async () => {
    const stuck = await Promise.all(Array.from({ length: 40 }, () => world.create()));
    silenceFirst();
    // Without a limit of time: its passes never end.
    start(Number.MAX_SAFE_INTEGER);
    await expect.poll(() => calls).toBeGreaterThanOrEqual(4);
    const other = await createElsewhere();
    await eventually(other.status).toBe('CREATE_COMPLETE');
    expect(await world.row(stuck[0] ?? '')).toMatchObject({ status: 'CREATE_IN_PROGRESS' });
  });

  it('is named on its stacks, which ask in turn instead of all at once', async () => {
    const stuck = await Promise.all(Array.from({ length: 10 }, () => world.create()));
    silenceFirst();
    start();
    await expect.poll(() => calls).toBe(4);
    world.clock.advance(30_000);
    await eventually(async () => (await world.describe(stuck[9] ?? '')).statusReason).toMatch(
      /dead\.example has not answered since \d\d:\d\d:\d\d UTC/,
    );
    expect(calls).toBeLessThanOrEqual(5);
    expect(world.errors).toEqual([]);
  });

  it('lets its stacks go on when it answers again', async () => {
    const stack = await world.create();
    silenceFirst();
    start();
    await expect.poll(() => calls).toBe(1);
    world.clock.advance(30_000);
    await eventually(async () => (await world.describe(stack)).statusReason).toContain('dead.example');
    isDead = false;
    await eventually(async () => (await world.describe(stack)).status, 1_000).toBe('CREATE_COMPLETE');
  });

  it('does not keep the server from stopping: the leases are given back, and nothing is recorded', async () => {
    const stack = await world.create();
    silenceFirst();
    const loop = start();
    await expect.poll(() => calls).toBe(1);
    const before = await world.row(stack);
    stopping.abort();
    const stopped = loop.stop();
    world.clock.advance(2_000);
    await stopped;
    const { lease_owner: owner, lease_until: until, ...after } = await world.row(stack);
    expect({ owner, until }).toEqual({ owner: '', until: 0 });
    expect(before).toMatchObject(after);
    expect(world.errors).toEqual([]);
  });

  it('gives a caller a clear answer after ten seconds, and the next one at once, with the time to wait', async () => {
    changeSandbox(world.service, { choose: () => silence().then(() => succeed({})) });
    const first = world.create();
    await expect.poll(() => calls).toBe(1);
    world.clock.advance(10_000);
    await expect(first).rejects.toMatchObject({
      kind: 'vendor_trouble',
      message: 'The vendor cannot be reached: dead.example did not answer within 10 seconds',
    });
    const second = await world.create().catch((error: unknown) => error);
    expect(second).toBeInstanceOf(Failure);
    expect(second).toMatchObject({
      kind: 'vendor_trouble',
      retryAfter: 2,
      message: expect.stringContaining('dead.example has not answered since'),
    });
    expect(calls).toBe(1);
  });
});
