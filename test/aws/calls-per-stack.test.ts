import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainModel } from './world/full-model.ts';
import { countByOperation } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

/** Prints a line of JSON, `calls-per-stack {…}`: the figures in docs/vendors/aws.md. */
describeOnOverlay(
  'calls in the life of one stack, a balanced group and a server (on moto with the overlay)',
  () => {
    let world: AwsWorld;
    beforeAll(async () => {
      world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    });
    afterAll(() => world.close());

    const countOf = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
      const from = world.proxy.calls.length;
      await work();
      return Object.fromEntries(countByOperation(world.proxy.calls.slice(from)));
    };
    const total = (counts: Record<string, number>): number =>
      Object.values(counts).reduce((sum, count) => sum + count, 0);

    it('are few: to create it, for a look at it when idle, to update and to delete it', async () => {
      const { driver } = world;
      const stack = newStack();
      const look = async () => {
        await world.passAll();
        return driver.observe(stack);
      };
      const apply = async (members: number, version: string) => {
        const document = await world.compiled(stack, plainModel(members));
        await driver.apply(stack, { document, version, agentToken });
        return look();
      };
      const figures = {
        create: await countOf(() => apply(2, 'v1')),
        idle: await countOf(look),
        update: await countOf(() => apply(4, 'v2')),
        delete: await countOf(async () => {
          await driver.remove(stack, { releases: [], intent: 'delete 1' });
          return look();
        }),
      };
      const totals = Object.fromEntries(
        Object.entries(figures).map(([name, counts]) => [name, total(counts)]),
      );
      console.info(`calls-per-stack ${JSON.stringify({ totals, figures })}`);
      expect(figures.idle).toEqual({ 'cloudformation:DescribeStacks': 1, 'ec2:DescribeInstances': 1 });
      // An upper limit, so that a new call is noticed.
      expect(totals['create']).toBeLessThanOrEqual(14);
      expect(totals['update']).toBeLessThanOrEqual(14);
      expect(totals['delete']).toBeLessThanOrEqual(10);
    });
  },
);
