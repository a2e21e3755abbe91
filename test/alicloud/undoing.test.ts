import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedServers, sampleDatabase, sampleModel } from '../vendors/sample-model.ts';
import { AlicloudWorld, newStack } from './world/world.ts';

const withDatabase = sampleModel({ databases: [sampleDatabase()] });

describe('a stack that a double of ROS undoes', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
  });
  afterAll(() => world.close());

  type Stack = ReturnType<AlicloudWorld['on']>;

  /** What is said about undoing until the operation has ended, and its end. Every look is one step of the double. */
  async function watch(at: Stack) {
    const undone = [];
    for (;;) {
      const seen = await at.observe();
      if (seen.kind !== 'busy') return { undone, end: seen };
      if (seen.undoing) undone.push({ ...seen.undoing, version: seen.version });
      await world.passMoment();
    }
  }

  const cases = [
    { what: 'creation', make: async () => undefined },
    {
      what: 'update',
      make: async (at: Stack) => {
        await at.apply(fixedServers(1), 'v1');
        await world.passAll();
      },
    },
  ];
  it.each(cases)(
    'says so during a failed $what, with the cause, the version and how far it is, and not after it',
    async ({ make }) => {
      const at = world.on(newStack());
      await make(at);
      await world.double.control('faults', {
        kind: 'fail_resource',
        logicalId: 'Databaseapp',
        action: 'CREATE',
        preset: 'balance',
        times: 1,
      });
      await at.apply(withDatabase, 'v2');
      const { undone, end } = await watch(at);
      for (const { cause, version } of undone) {
        expect(cause).toMatch(/^Databaseapp.*NotEnoughBalance/);
        expect(version).toBe('v2');
      }
      const counts = undone.map(({ progress }) => progress?.done ?? -1);
      expect(counts).toEqual(counts.toSorted((one, other) => one - other));
      expect(counts[0]).toBe(0);
      expect(counts.at(-1)).toBeGreaterThan(0);
      expect(end).toMatchObject({ kind: 'broken', version: 'v2' });
      expect(end).not.toHaveProperty('undoing');
    },
  );
});
