import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Observation, type StackOnVendor, Unreachable } from '../../src/vendors/vendor.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import type { Fault } from './world/fault-proxy.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

/** The trouble comes from our own front, for no simulator throttles or breaks; what is behind it is moto with the overlay. */
describeOnOverlay('aws on a bad day (trouble of our own making before moto with the overlay)', () => {
  let world: AwsWorld;
  let stack: StackOnVendor;
  beforeAll(async () => {
    world = await AwsWorld.before(startOverlay({ delaySeconds: 0 }));
    stack = newStack();
    await world.on(stack).apply(fixedServers(1), 'v1');
    await world.passAll();
  });
  afterAll(() => world.close());
  afterEach(() => world.front.calm());

  /** Another connection each time: a client that was throttled goes slowly for a while. */
  const freshly = () => world.as({}).on(stack);
  /** As the reconciler takes it. */
  const look = async (at = freshly()): Promise<Observation> => {
    try {
      return await at.observe();
    } catch (cause) {
      if (cause instanceof Unreachable) return { kind: 'unreachable', reason: cause.message };
      throw cause;
    }
  };

  const days: [string, Fault['kind']][] = [
    ['a gateway that answers 503 with a page', 'outage'],
    ['connections that are dropped', 'hang-up'],
    ['throttling that does not end', 'throttling'],
  ];
  describe.each(days)('%s', (_, kind) => {
    it('is unreachable, not gone, and works again after', async () => {
      const at = freshly();
      world.front.trouble({ kind });
      expect(await look(at)).toMatchObject({ kind: 'unreachable' });
      world.front.calm();
      expect(await look(at)).toMatchObject({ kind: 'settled', version: 'v1' });
      expect((await world.cloud.stacks())[0]?.StackStatus).toBe('CREATE_COMPLETE');
    });

    it('is got over without a word when it is short', async () => {
      world.front.trouble({ kind, times: 2, of: ({ service }) => service === 'cloudformation' });
      expect(await look()).toMatchObject({ kind: 'settled', version: 'v1' });
    });

    it('throws what is asked meanwhile back at the caller, and nothing of it is begun', async () => {
      world.front.trouble({ kind });
      await expect(freshly().remove()).rejects.toThrow(Unreachable);
      world.front.calm();
      expect(await look()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await world.cloud.instances()).toHaveLength(1);
    });
  });

  it('makes one stack of a creation whose answer was lost', async () => {
    const other = newStack();
    const at = world.as({}).on(other);
    await at.observe();
    world.front.trouble({
      kind: 'lost-answer',
      times: 1,
      of: ({ operation }) => operation === 'CreateStack',
    });
    await at.apply(fixedServers(1), 'v1');
    await world.passAll();
    const names = (await world.cloud.stacks()).map(({ StackName }) => StackName);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(2);
    expect(await look(world.as({}).on(other))).toMatchObject({ kind: 'settled', version: 'v1' });
  });
});
