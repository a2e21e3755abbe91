import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import type { DataChoice } from '../../src/model/data-choice.ts';
import type { Driver, Observation, StackOnVendor, VendorDocument } from '../../src/vendors/vendor.ts';

/** A vendor under test, control over its time, and a look at its data from outside the driver. */
export interface DataWorld {
  driver: Driver;
  /** A stack that does not exist yet. */
  newStack: () => StackOnVendor;
  /** One server and a database, or without the database more servers, which an update creates before it removes anything. */
  document: (stack: StackOnVendor, hasDatabase: boolean) => VendorDocument;
  /** Long enough for work to start, too short for it to end. */
  passMoment: () => Promise<void>;
  /** Long enough for all work to end. */
  passAll: () => Promise<void>;
  /** Identifies the data in the stack's database: other data has another identity. Undefined: there is no database. */
  dataIn: (stack: StackOnVendor) => Promise<string | undefined>;
  /** The data that is kept for the stack outside its databases, such as snapshots. */
  keptData: (stack: StackOnVendor) => Promise<readonly string[]>;
}

const secrets = {
  agentToken: new Secret('the-token-of-the-agents'),
  databasePassword: new Secret('the-password-of-the-database'),
};

const isMatch = (seen: Partial<Observation>, end: Partial<Observation>): boolean =>
  Object.entries(end).every(([key, value]) =>
    Object.entries(seen).some(([k, v]) => k === key && v === value),
  );

/** For every vendor: data is never lost unless a user asks for exactly that. */
export function dataContract(name: string, makeWorld: () => DataWorld | Promise<DataWorld>): void {
  const start = async () => {
    const world = await makeWorld();
    const stack = world.newStack();
    const { driver, passAll } = world;
    const apply = (version: string, hasDatabase: boolean) =>
      driver.apply(stack, { document: world.document(stack, hasDatabase), version, ...secrets });
    /** Repeats the step as the reconciler does: a vendor may need several. */
    const until = async (end: Partial<Observation>, step: () => Promise<unknown>) => {
      let seen: Partial<Observation> = {};
      for (let pass = 0; pass < 5 && !isMatch(seen, end); pass += 1) {
        await step();
        await passAll();
        seen = await driver.observe(stack);
      }
      expect(seen).toMatchObject(end);
    };
    return {
      ...world,
      stack,
      apply,
      settle: (version: string, hasDatabase: boolean) =>
        until({ kind: 'settled', version }, () => apply(version, hasDatabase)),
      removeWith: (data: DataChoice) =>
        until({ kind: 'absent' }, () => driver.remove(stack, { data, intent: 'delete 1' })),
      data: () => world.dataIn(stack),
      kept: () => world.keptData(stack),
    };
  };

  describe(`the data of a stack on ${name}`, () => {
    it('is the same after an update that removes the database was cancelled in progress', async () => {
      const { driver, stack, apply, settle, data, passMoment, passAll } = await start();
      await settle('v1', true);
      const before = await data();
      await apply('v2', false);
      await passMoment();
      expect(await driver.cancelUpdate(stack, 'v2')).toEqual({ cancelled: true });
      await passAll();
      await settle('v1', true);
      expect(before).toBeDefined();
      expect(await data()).toBe(before);
      expect(await driver.observe(stack)).toMatchObject({ kind: 'settled', version: 'v1' });
    });

    it('is the same after a cancellation that was repeated', async () => {
      const { driver, stack, apply, settle, data, passMoment, passAll } = await start();
      await settle('v1', true);
      const before = await data();
      await apply('v2', false);
      await passMoment();
      await driver.cancelUpdate(stack, 'v2');
      expect(await driver.cancelUpdate(stack, 'v2')).toEqual({ cancelled: true });
      await passAll();
      expect(await driver.cancelUpdate(stack, 'v2')).toEqual({ cancelled: true });
      await settle('v1', true);
      expect(await data()).toBe(before);
    });

    it('is not touched by cancelling an update that was never started, and the stack stays as it is', async () => {
      const { driver, stack, settle, data } = await start();
      await settle('v1', true);
      const before = await driver.observe(stack);
      const existing = await data();
      expect(await driver.cancelUpdate(stack, 'v2')).toEqual({ cancelled: true });
      expect(await driver.observe(stack)).toMatchObject({ kind: before.kind, version: 'v1' });
      expect(await data()).toBe(existing);
    });

    it('is never said to be safe by a cancellation that comes too late to give it back', async () => {
      const { driver, stack, settle, data } = await start();
      await settle('v1', true);
      const before = await data();
      await settle('v2', false);
      const answer = await driver.cancelUpdate(stack, 'v2');
      await settle('v1', true);
      if (answer.cancelled) expect(await data()).toBe(before);
      else expect(answer.reason).not.toBe('');
    });

    it('is kept outside the stack when an update removes the database', async () => {
      const { settle, data, kept } = await start();
      await settle('v1', true);
      expect(await kept()).toEqual([]);
      await settle('v2', false);
      expect(await data()).toBeUndefined();
      expect(await kept()).toHaveLength(1);
    });

    it('is kept outside the stack when the stack is removed', async () => {
      const { settle, removeWith, data, kept } = await start();
      await settle('v1', true);
      await removeWith('keep');
      expect(await data()).toBeUndefined();
      expect(await kept()).toHaveLength(1);
    });

    it('is gone when the stack is removed with its data', async () => {
      const { settle, removeWith, data, kept } = await start();
      await settle('v1', true);
      await removeWith('delete');
      expect(await data()).toBeUndefined();
      expect(await kept()).toEqual([]);
    });
  });
}
