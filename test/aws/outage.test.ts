import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Observation, type StackOnVendor, Unreachable } from '../../src/vendors/vendor.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import type { Fault } from './world/fault-proxy.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, newStack } from './world/world.ts';

describeOnOverlay('AWS outages (faults injected by our proxy before moto with the overlay)', () => {
  let world: AwsWorld;
  let stack: StackOnVendor;
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    stack = newStack();
    await world.on(stack).apply(fixedServers(1), 'v1');
    await world.passAll();
  });
  afterAll(() => world.close());
  afterEach(() => world.proxy.clearFaults());

  /** A new connection each time: a throttled client stays slow for a while. */
  const connect = () => world.as({}).on(stack);
  /** Observes like the reconciler. */
  const observe = async (at = connect()): Promise<Observation> => {
    try {
      return await at.observe();
    } catch (cause) {
      if (cause instanceof Unreachable) return { kind: 'unreachable', reason: cause.message };
      throw cause;
    }
  };

  const faults: [string, Fault['kind']][] = [
    ['with a gateway that responds 503 with an HTML page', 'outage'],
    ['with dropped connections', 'hang-up'],
    ['with throttling', 'throttling'],
  ];
  describe.each(faults)('%s', (_, kind) => {
    it('a stack is unreachable, not absent, and can be observed afterwards', async () => {
      const at = connect();
      world.proxy.inject({ kind });
      expect(await observe(at)).toMatchObject({ kind: 'unreachable' });
      world.proxy.clearFaults();
      expect(await observe(at)).toMatchObject({ kind: 'settled', version: 'v1' });
      expect((await world.cloud.stacks())[0]?.StackStatus).toBe('CREATE_COMPLETE');
    });

    it('a short fault is retried without an error', async () => {
      world.proxy.inject({ kind, times: 2, of: ({ service }) => service === 'cloudformation' });
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
    });

    it('an operation throws Unreachable and is not started', async () => {
      world.proxy.inject({ kind });
      await expect(connect().remove()).rejects.toThrow(Unreachable);
      world.proxy.clearFaults();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await world.cloud.instances()).toHaveLength(1);
    });
  });

  it('a creation whose response is lost creates one stack', async () => {
    const other = newStack();
    const at = world.as({}).on(other);
    await at.observe();
    world.proxy.inject({
      kind: 'lost-answer',
      times: 1,
      of: ({ operation }) => operation === 'CreateStack',
    });
    await at.apply(fixedServers(1), 'v1');
    await world.passAll();
    const names = (await world.cloud.stacks()).map(({ StackName }) => StackName);
    expect(names).toHaveLength(2);
    expect(new Set(names).size).toBe(2);
    expect(await observe(world.as({}).on(other))).toMatchObject({ kind: 'settled', version: 'v1' });
  });
});
