import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixedServers } from '../vendors/sample-model.ts';
import { resourcesIn } from './world/cloud.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

/** Includes the default VPC of the region. */
const networkLimit = 20;
const requested = 22;

describeOnOverlay('a region with a limit of 20 VPCs (on moto with the overlay)', () => {
  let world: AwsWorld;
  let before: Record<string, string[]>;
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0, networkLimit }));
    before = await resourcesIn(world.cloud);
  });
  afterAll(() => world.close());

  it('creates stacks up to the limit, reports the limit for the others, and creates those when there is room', async () => {
    const stacks = Array.from({ length: requested }, () => world.on(newStack()));
    for (const stack of stacks) expect(await stack.apply(fixedServers(1), 'v1')).toEqual({ accepted: true });
    await world.passAll();
    const seen = await Promise.all(stacks.map(async (stack) => ({ stack, seen: await stack.observe() })));
    const settled = seen.filter((one) => one.seen.kind === 'settled').map((one) => one.stack);
    const broken = seen.filter((one) => one.seen.kind === 'broken');
    expect(settled.length + broken.length).toBe(requested);
    // Concurrent creations may exceed the limit by one, as with real quotas.
    expect(broken.length).toBeGreaterThanOrEqual(1);
    for (const { seen: failed } of broken)
      expect(failed).toHaveProperty('reason', expect.stringContaining('maximum number of VPCs'));
    const held = await resourcesIn(world.cloud);
    expect(held.networks).toHaveLength(settled.length + 1);
    expect(held.instances).toHaveLength(settled.length);

    for (const stack of settled) await stack.remove();
    await world.passAll();
    const again = broken.map(({ stack }) => stack);
    // The first step deletes the failed stack, the second creates it again.
    for (let step = 0; step < 2; step += 1) {
      for (const stack of again) await stack.apply(fixedServers(1), 'v1');
      await world.passAll();
    }
    for (const stack of again)
      expect(await stack.observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    for (const stack of again) await stack.remove();
    await world.passAll();
    expect(await resourcesIn(world.cloud)).toEqual(before);
  });
});
