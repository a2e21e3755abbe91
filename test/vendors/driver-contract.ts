import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import type {
  Driver,
  Observation,
  StackOnVendor,
  StackView,
  VendorDocument,
} from '../../src/vendors/vendor.ts';

/** A vendor under test, and control over its time. */
export interface ContractWorld {
  driver: Driver;
  /** A stack that does not exist yet. */
  newStack: () => StackOnVendor;
  /** A document for one layer with the given number of fixed servers. */
  document: (stack: StackOnVendor, servers: number) => VendorDocument;
  /** Long enough for work to start, too short for it to end. */
  passMoment: () => Promise<void>;
  /** Long enough for all work to end. */
  passAll: () => Promise<void>;
}

const agentToken = new Secret('the-token-of-the-agents');

const viewOf = (observation: Observation): StackView => {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
};

/** The guarantees the reconciler relies on, for every vendor. */
export function driverContract(name: string, makeWorld: () => ContractWorld | Promise<ContractWorld>): void {
  const start = async () => {
    const world = await makeWorld();
    const stack = world.newStack();
    const { driver } = world;
    return {
      ...world,
      stack,
      observe: () => driver.observe(stack),
      apply: (servers: number, version: string) =>
        driver.apply(stack, { document: world.document(stack, servers), version, agentToken }),
      remove: () => driver.remove(stack, { releases: [], intent: 'delete 1' }),
      runningIds: async () =>
        viewOf(await driver.observe(stack))
          .instances.filter((instance) => instance.state === 'running')
          .map((instance) => instance.id)
          .toSorted(),
    };
  };

  describe(`the ${name} driver`, () => {
    it('reports a stack that was never applied as absent and empty', async () => {
      const { observe } = await start();
      expect(await observe()).toMatchObject({ kind: 'absent', view: { instances: [], outputs: [] } });
    });

    it('accepts an apply before it is finished, and reports its version while busy', async () => {
      const { apply, observe, passMoment } = await start();
      expect(await apply(1, 'v1')).toEqual({ accepted: true });
      await passMoment();
      expect(await observe()).toMatchObject({ kind: 'busy', doing: 'apply', version: 'v1' });
    });

    it('reports settled with the applied version once its servers run', async () => {
      const { apply, observe, passAll, runningIds } = await start();
      await apply(2, 'v1');
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await runningIds()).toHaveLength(2);
    });

    it('creates one stack when an apply is repeated at once, while busy and when settled', async () => {
      const { apply, observe, passMoment, passAll, runningIds } = await start();
      await apply(1, 'v1');
      await apply(1, 'v1');
      await passMoment();
      await apply(1, 'v1');
      await passAll();
      const before = await runningIds();
      await apply(1, 'v1');
      expect((await observe()).kind).toBe('settled');
      await passAll();
      expect(before).toHaveLength(1);
      expect(await runningIds()).toEqual(before);
    });

    it('changes nothing when it observes', async () => {
      const { apply, observe, passMoment, passAll } = await start();
      await apply(1, 'v1');
      await passMoment();
      expect(await observe()).toEqual(await observe());
      await passAll();
      expect(await observe()).toEqual(await observe());
    });

    it('keeps the servers that an update does not change', async () => {
      const { apply, passAll, runningIds } = await start();
      await apply(1, 'v1');
      await passAll();
      const before = await runningIds();
      await apply(2, 'v2');
      await passAll();
      expect(await runningIds()).toHaveLength(2);
      expect(await runningIds()).toEqual(expect.arrayContaining(before));
    });

    it('settles at the newer version when it is applied while an older one is in progress', async () => {
      const { apply, observe, passMoment, passAll, runningIds } = await start();
      await apply(3, 'v1');
      await passMoment();
      await apply(1, 'v2');
      await passAll();
      // A vendor may have to finish the older version first. The reconciler applies again then.
      await apply(1, 'v2');
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v2' });
      expect(await runningIds()).toHaveLength(1);
    });

    it('reports a removal as busy, then the stack as absent', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      await apply(1, 'v1');
      await passAll();
      expect(await remove()).toEqual({ accepted: true });
      await passMoment();
      expect(await observe()).toMatchObject({ kind: 'busy', doing: 'remove', version: 'v1' });
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'absent', view: { instances: [], outputs: [] } });
    });

    it('removes a stack whose creation is in progress', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      await apply(2, 'v1');
      await passMoment();
      expect(await remove()).toEqual({ accepted: true });
      await passAll();
      // A vendor may have to finish the creation first. The reconciler removes again then.
      await remove();
      await passAll();
      expect((await observe()).kind).toBe('absent');
    });

    it('accepts the removal of a stack that does not exist', async () => {
      const { remove, observe } = await start();
      expect(await remove()).toEqual({ accepted: true });
      expect((await observe()).kind).toBe('absent');
    });

    it('treats a removal repeated while busy or afterwards as the same one', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      await apply(1, 'v1');
      await passAll();
      await remove();
      await passMoment();
      const before = await observe();
      expect(await remove()).toEqual({ accepted: true });
      expect(await observe()).toEqual(before);
      await passAll();
      expect(await remove()).toEqual({ accepted: true });
      expect((await observe()).kind).toBe('absent');
    });

    it('creates a removed stack again', async () => {
      const { apply, remove, observe, passAll, runningIds } = await start();
      await apply(1, 'v1');
      await passAll();
      await remove();
      await passAll();
      await apply(1, 'v1');
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await runningIds()).toHaveLength(1);
    });

    it('does not change one stack when another is removed', async () => {
      const world = await start();
      const other = world.newStack();
      await world.apply(1, 'v1');
      await world.driver.apply(other, { document: world.document(other, 2), version: 'w1', agentToken });
      await world.passAll();
      await world.remove();
      await world.passAll();
      expect(await world.driver.observe(other)).toMatchObject({ kind: 'settled', version: 'w1' });
      expect(viewOf(await world.driver.observe(other)).instances).toHaveLength(2);
    });

    it('reports every event with a unique id, and never changes an event later', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      const seen = new Map<string, unknown>();
      const check = async () => {
        const { events } = viewOf(await observe());
        expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
        for (const event of events) {
          expect(event).toEqual(seen.get(event.id) ?? event);
          seen.set(event.id, event);
        }
      };
      await apply(1, 'v1');
      await passMoment();
      await check();
      await apply(2, 'v2');
      await passAll();
      await check();
      await remove();
      await passAll();
      await check();
    });
  });
}
