import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Loop, leaseMs, sweepMs } from '../../src/reconcile/loop.ts';
import { reconcileStack } from '../../src/reconcile/reconcile-stack.ts';
import type { Claim } from '../../src/store/stacks/schedule.ts';
import { claimDue } from '../claim-due.ts';
import { oneServer, World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

describe('several workers', () => {
  it('never work on the same stack at the same time', async () => {
    await world.create();
    const passes = await Promise.all([world.worker('one').runDue(), world.worker('two').runDue()]);
    expect(passes[0] + passes[1]).toBe(1);
  });

  it('continue the stacks of a killed one after 10 seconds at the latest', async () => {
    const stack = await world.create();
    const lease = { owner: 'killed', now: world.clock.now(), until: world.clock.now() + leaseMs };
    await claimDue(world.database, lease, 1);
    expect(await world.worker('successor').runDue()).toBe(0);
    world.clock.advance(10_000 - sweepMs);
    expect(await world.worker('successor').runDue()).toBe(1);
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_IN_PROGRESS' });
  });

  it('cannot overwrite newer results after stalling past the lease', async () => {
    const stack = await world.create();
    const lease = { owner: 'stalled', now: world.clock.now(), until: world.clock.now() + leaseMs };
    const claim = (await claimDue(world.database, lease, 1))[0] as Claim;
    world.clock.advance(leaseMs + 1);
    await world.settle(world.worker('successor'));
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE' });
    expect(await reconcileStack(world.tools, claim)).toBe('fenced');
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  it('share many stacks, and each stack is created once', async () => {
    const stacks = await Promise.all(Array.from({ length: 12 }, () => world.create(oneServer(2))));
    const workers = ['one', 'two', 'three'].map((owner) => world.worker(owner));
    for (let second = 0; second < 20; second += 1) {
      await Promise.all(workers.map((worker) => worker.runDue()));
      world.clock.advance(1000);
    }
    for (const stack of stacks) {
      const { status, view } = await world.describe(stack);
      expect({ status, servers: view.instances.length }).toEqual({ status: 'CREATE_COMPLETE', servers: 2 });
    }
  });
});

describe('wake-up', () => {
  it('comes from a notification at once, and from the sweep if the notification was lost', async () => {
    const worker = world.worker('one');
    worker.start();
    const notified = new Promise((resolve) => world.database.listen('stack-event', resolve));
    const stack = await world.create();
    expect(await notified).toBe(stack);
    await worker.stop();

    const sweeper = world.worker('two');
    await sweeper.runDue();
    await world.database.query
      .updateTable('stacks')
      .set({ next_at: world.clock.now() + 1 })
      .execute();
    sweeper.start();
    let found = '';
    world.database.listen('stack-event', (id) => (found = id));
    // The clock advances while the database responds in real time.
    await expect
      .poll(
        () => {
          world.clock.advance(1000);
          return found;
        },
        { interval: 5 },
      )
      .toBe(stack);
    await sweeper.stop();
  });

  it('that arrives during a pass is not lost', async () => {
    const stack = await world.create();
    const slow = {
      ...world.tools,
      connect: async (claim: Claim) => {
        const driver = await world.tools.connect(claim);
        return {
          ...driver,
          observe: (onVendor: Parameters<typeof driver.observe>[0]) =>
            world.update(stack, oneServer(2)).then(() => driver.observe(onVendor)),
        };
      },
    };
    const now = world.clock.now();
    const lease = { owner: 'slow', now, until: now + leaseMs };
    const claim = (await claimDue(world.database, lease, 1))[0] as Claim;
    expect(await reconcileStack(slow, claim)).toBe('overtaken');
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect((await world.describe(stack)).view.instances).toHaveLength(2);
  });

  it('is not needed after a graceful stop: it waits for the pass and releases the leases', async () => {
    await world.create();
    const worker = world.worker('one');
    worker.start();
    await worker.stop();
    const held = await world.database.query.selectFrom('stacks').select('lease_owner').execute();
    expect(held).toEqual([{ lease_owner: '' }]);
  });
});

describe('a pass that throws', () => {
  it('shows an internal error on the stack, without details', async () => {
    const stack = await world.create();
    const loop = new Loop({
      database: world.database,
      clock: world.clock,
      owner: 'failing',
      reconcile: () => Promise.reject(new Error('secret detail')),
      sweep: async () => {},
      onInternalError: (error) => world.errors.push(error),
    });
    await loop.runDue();
    expect((await world.describe(stack)).statusReason).toMatch(/^Internal error/);
    expect(await world.row(stack)).toMatchObject({
      troubles: 1,
      lease_owner: '',
      next_at: world.clock.now() + 1000,
    });
    expect(world.errors).toHaveLength(1);
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE', statusReason: '' });
  });
});

describe('passes, while several callers wait for changes,', () => {
  it('begin in turns, and at once when no caller waits any more', async () => {
    const seen = new Set<string>();
    let isCrowded = true;
    const loop = new Loop({
      database: world.database,
      clock: world.clock,
      owner: 'one',
      isCrowded: () => isCrowded,
      reconcile(claim) {
        seen.add(claim.id);
        return reconcileStack(world.tools, claim);
      },
      sweep: async () => {},
      onInternalError(error) {
        throw error;
      },
    });
    const first = await world.create();
    loop.start();
    await expect.poll(() => seen.has(first)).toBe(true);

    const second = await world.create();
    world.clock.advance(500);
    expect(seen.has(second)).toBe(false);
    isCrowded = false;
    world.clock.advance(25);
    await expect.poll(() => seen.has(second)).toBe(true);

    isCrowded = true;
    const third = await world.create();
    world.clock.advance(500);
    expect(seen.has(third)).toBe(false);
    world.clock.advance(500);
    await expect.poll(() => seen.has(third)).toBe(true);
    await loop.stop();
  });
});
