import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import type {
  Driver,
  Observation,
  StackOnVendor,
  StackView,
  VendorDocument,
} from '../../src/vendors/vendor.ts';

/** What a driver is tried in: a vendor, and a way to let its time pass. */
export interface ContractWorld {
  driver: Driver;
  /** A stack that nobody has used. */
  newStack: () => StackOnVendor;
  /** A document for one layer with so many fixed servers. */
  document: (stack: StackOnVendor, servers: number) => VendorDocument;
  /** Long enough that something has begun, too short for anything to end. */
  passMoment: () => Promise<void>;
  /** Long enough for everything to end. */
  passAll: () => Promise<void>;
}

const agentToken = new Secret('the-token-of-the-agents');

const viewOf = (observation: Observation): StackView => {
  if (observation.kind === 'unreachable') throw new Error(observation.reason);
  return observation.view;
};

/** What the reconciler relies on, whichever vendor it talks to. */
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
      remove: () => driver.remove(stack),
      runningIds: async () =>
        viewOf(await driver.observe(stack))
          .instances.filter((instance) => instance.state === 'running')
          .map((instance) => instance.id)
          .toSorted(),
    };
  };

  describe(`${name} keeps the driver contract`, () => {
    it('shows a stack nobody made as absent and empty', async () => {
      const { observe } = await start();
      expect(await observe()).toMatchObject({ kind: 'absent', view: { instances: [], outputs: [] } });
    });

    it('accepts an apply before it is done, and shows its version while busy', async () => {
      const { apply, observe, passMoment } = await start();
      expect(await apply(1, 'v1')).toEqual({ accepted: true });
      await passMoment();
      expect(await observe()).toMatchObject({ kind: 'busy', doing: 'apply', version: 'v1' });
    });

    it('settles at the applied version with its servers running', async () => {
      const { apply, observe, passAll, runningIds } = await start();
      await apply(2, 'v1');
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v1' });
      expect(await runningIds()).toHaveLength(2);
    });

    it('makes one stack of an apply that is repeated at once, while busy and when settled', async () => {
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

    it('changes nothing by looking', async () => {
      const { apply, observe, passMoment, passAll } = await start();
      await apply(1, 'v1');
      await passMoment();
      expect(await observe()).toEqual(await observe());
      await passAll();
      expect(await observe()).toEqual(await observe());
    });

    it('keeps the servers that an update does not touch', async () => {
      const { apply, passAll, runningIds } = await start();
      await apply(1, 'v1');
      await passAll();
      const before = await runningIds();
      await apply(2, 'v2');
      await passAll();
      expect(await runningIds()).toHaveLength(2);
      expect(await runningIds()).toEqual(expect.arrayContaining(before));
    });

    it('ends at the newer version when it comes while the older is under way', async () => {
      const { apply, observe, passMoment, passAll, runningIds } = await start();
      await apply(3, 'v1');
      await passMoment();
      await apply(1, 'v2');
      await passAll();
      // A vendor may have to finish the older first; the reconciler asks again then.
      await apply(1, 'v2');
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'settled', version: 'v2' });
      expect(await runningIds()).toHaveLength(1);
    });

    it('removes a settled stack until it is absent', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      await apply(1, 'v1');
      await passAll();
      expect(await remove()).toEqual({ accepted: true });
      await passMoment();
      expect(await observe()).toMatchObject({ kind: 'busy', doing: 'remove', version: 'v1' });
      await passAll();
      expect(await observe()).toMatchObject({ kind: 'absent', view: { instances: [], outputs: [] } });
    });

    it('removes a stack that is still being made', async () => {
      const { apply, remove, observe, passMoment, passAll } = await start();
      await apply(2, 'v1');
      await passMoment();
      expect(await remove()).toEqual({ accepted: true });
      await passAll();
      expect((await observe()).kind).toBe('absent');
    });

    it('accepts the removal of a stack that is not there', async () => {
      const { remove, observe } = await start();
      expect(await remove()).toEqual({ accepted: true });
      expect((await observe()).kind).toBe('absent');
    });

    it('takes a removal repeated while busy and after the end as the same one', async () => {
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

    it('makes a removed stack anew', async () => {
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

    it('keeps two stacks apart', async () => {
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

    it('tells every event once: ids differ, and an event once seen is never told otherwise', async () => {
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
