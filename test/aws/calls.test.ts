import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Driver, StackOnVendor } from '../../src/vendors/vendor.ts';
import { fixedServers } from '../vendors/sample-model.ts';
import { Cloud } from './world/cloud.ts';
import { countByOperation } from './world/read-call.ts';
import { describeOnOverlay, startOverlay } from './world/simulator.ts';
import { AwsWorld, agentToken, newStack } from './world/world.ts';

const [here, there] = ['ap-northeast-1', 'us-east-1'];

/** Counts the calls of one polling round. The clock does not move, so observing all stacks once is one round. */
describeOnOverlay('aws calls of one round of polling (on moto with the overlay)', () => {
  let world: AwsWorld;
  const inOne: StackOnVendor[] = [];
  const inTwo: StackOnVendor[] = [];
  beforeAll(async () => {
    world = await AwsWorld.start(startOverlay({ delaySeconds: 0 }));
    const models = { [here]: fixedServers(1), [there]: fixedServers(1) };
    const make = async (region: string, count: number): Promise<StackOnVendor[]> => {
      const stacks = Array.from({ length: count }, () => newStack(region));
      for (const stack of stacks) {
        const document = await world.compiled(stack, models[region] ?? fixedServers(1));
        await world.driver.apply(stack, { document, version: 'v1', agentToken });
      }
      return stacks;
    };
    inOne.push(...(await make(here, 30)));
    inTwo.push(...inOne.slice(0, 15), ...(await make(there, 15)));
    for (const region of [here, there]) await new Cloud(world.cloud.url, region).waitForStacks();
    world.clock.advance(60_000);
  });
  afterAll(() => world.close());

  const roundOf = async (looks: [Driver, StackOnVendor][]) => {
    world.clock.advance(10_000);
    const from = world.proxy.calls.length;
    const seen = await Promise.all(looks.map(([driver, stack]) => driver.observe(stack)));
    expect(seen.every(({ kind }) => kind === 'settled')).toBe(true);
    return Object.fromEntries(countByOperation(world.proxy.calls.slice(from)));
  };
  const by = (driver: Driver, stacks: readonly StackOnVendor[]): [Driver, StackOnVendor][] =>
    stacks.map((stack) => [driver, stack]);
  const oneRound = { 'cloudformation:DescribeStacks': 1, 'ec2:DescribeInstances': 1 };
  const twoRounds = { 'cloudformation:DescribeStacks': 2, 'ec2:DescribeInstances': 2 };

  it('are the same for 1, 10 and 30 stacks of a credential in a region', async () => {
    // The first round also reads the events of each creation.
    await roundOf(by(world.driver, inOne));
    for (const count of [1, 10, 30])
      expect(await roundOf(by(world.driver, inOne.slice(0, count)))).toEqual(oneRound);
  });

  it('double when the stacks are in two regions', async () => {
    await roundOf(by(world.driver, inTwo));
    expect(await roundOf(by(world.driver, inTwo))).toEqual(twoRounds);
  });

  it('double when two credentials observe 15 stacks each', async () => {
    const second = world.as({ credentialId: 'AKIASECOND' });
    const looks = [...by(world.driver, inOne.slice(0, 15)), ...by(second.driver, inOne.slice(15))];
    await roundOf(looks);
    expect(await roundOf(looks)).toEqual(twoRounds);
  });
});
