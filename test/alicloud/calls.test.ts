import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlicloudDocument } from '../../src/vendors/alicloud/document.ts';
import { type StackOnVendor, Unreachable, type VendorDocument } from '../../src/vendors/vendor.ts';
import { fixedServers, sampleGroup, sampleModel } from '../vendors/sample-model.ts';
import { AlicloudWorld, agentToken, newStack, region } from './world/world.ts';

const placeholder = newStack();

/** Makes stacks without the driver, whose limiter would spread the calls. */
async function makeStacks(world: AlicloudWorld, count: number): Promise<StackOnVendor[]> {
  const { template } = (await world.compiled(placeholder, fixedServers(0))) as AlicloudDocument;
  const stacks = Array.from({ length: count }, () => newStack());
  const make = async ({ id }: StackOnVendor): Promise<void> => {
    const query = {
      RegionId: region,
      StackName: `alm-${id}`,
      'Parameters.1.ParameterKey': 'AlmanacVersion',
      'Parameters.1.ParameterValue': 'v1',
      'Tags.1.Key': 'almanac:stack',
      'Tags.1.Value': id,
    };
    const TemplateBody = JSON.stringify(template).replaceAll(placeholder.id, id);
    await world.double.call({ version: '2019-09-10', action: 'CreateStack', query, body: { TemplateBody } });
  };
  for (let from = 0; from < count; from += 20) await Promise.all(stacks.slice(from, from + 20).map(make));
  await world.double.control('advance', { settle: true });
  return stacks;
}

/** Moves the clock while calls wait for their turn. */
async function withMovingClock<T>(world: AlicloudWorld, work: Promise<T>): Promise<T> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.advance(20);
  }
  return ended;
}

/** As the reconciler does: again later while the vendor cannot be reached. */
async function lookUntilSeen(world: AlicloudWorld, stack: StackOnVendor): Promise<string> {
  for (;;)
    try {
      return (await world.driver.observe(stack)).kind;
    } catch (cause) {
      if (!(cause instanceof Unreachable)) throw cause;
      await new Promise<void>((resolve) => void world.clock.after(5_000, resolve));
    }
}

async function lookAtAll(world: AlicloudWorld, stacks: readonly StackOnVendor[]): Promise<Set<string>> {
  const waiting = [...stacks];
  const kinds = new Set<string>();
  const worker = async () => {
    for (let stack = waiting.shift(); stack; stack = waiting.shift())
      kinds.add(await lookUntilSeen(world, stack));
  };
  await withMovingClock(world, Promise.all(Array.from({ length: 16 }, worker)));
  return kinds;
}

const countOf = (calls: AlicloudWorld['sent']): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { call } of calls) counts[call] = (counts[call] ?? 0) + 1;
  return counts;
};

/** The most calls of one action within any minute. */
function mostInAMinute(calls: AlicloudWorld['sent']): number {
  const times = new Map<string, number[]>();
  for (const { call, at } of calls) times.set(call, [...(times.get(call) ?? []), at]);
  const mostOf = (all: number[]): number =>
    Math.max(...all.map((from) => all.filter((at) => at >= from && at < from + 60_000).length));
  return Math.max(...[...times.values()].map(mostOf));
}

describe('calls of the driver, counted on a double of ROS', () => {
  let world: AlicloudWorld;
  beforeAll(async () => {
    world = await AlicloudWorld.start();
    await world.double.control('settings', { vpcQuota: 5000, stackQuota: 5000 });
  });
  afterAll(() => world.close());

  it('50 settled stacks looked at once take one list of stacks and one of servers', async () => {
    const stacks = await makeStacks(world, 50);
    await lookAtAll(world, stacks);
    world.clock.advance(600_000);
    const from = world.sent.length;
    const seen = await Promise.all(stacks.map((stack) => world.driver.observe(stack)));
    expect(new Set(seen.map(({ kind }) => kind))).toEqual(new Set(['settled']));
    expect(countOf(world.sent.slice(from))).toEqual({ 'ros.ListStacks': 1, 'ecs.DescribeInstances': 1 });
  });

  it('the life of a balanced group takes few calls', async () => {
    const stack = newStack();
    const figures: Record<string, Record<string, number>> = {};
    const counted = async (name: string, work: () => Promise<unknown>) => {
      world.clock.advance(600_000);
      const from = world.sent.length;
      await work();
      figures[name] = countOf(world.sent.slice(from));
    };
    let before: VendorDocument | null = null;
    const apply = async (members: number, version: string) => {
      before = await world.compiled(stack, sampleModel({ layers: [sampleGroup(members, 0)] }), before);
      await world.driver.apply(stack, { document: before, version, agentToken });
      await world.passMoment();
      await world.driver.observe(stack);
      await world.passAll();
      await world.driver.observe(stack);
    };
    await counted('create', () => apply(2, 'v1'));
    await counted('idle', () => world.driver.observe(stack));
    await counted('update', () => apply(4, 'v2'));
    await counted('delete', async () => {
      await world.driver.remove(stack, { releases: [], intent: 'delete 1' });
      await world.passAll();
      await world.driver.observe(stack);
    });
    const totals = Object.fromEntries(
      Object.entries(figures).map(([name, calls]) => [
        name,
        Object.values(calls).reduce((sum, one) => sum + one, 0),
      ]),
    );
    console.info(`calls-per-stack ${JSON.stringify({ totals, figures })}`);
    // Upper limits, so that a new call is noticed.
    expect(totals['create']).toBeLessThanOrEqual(26);
    expect(totals['idle']).toBeLessThanOrEqual(3);
    expect(totals['update']).toBeLessThanOrEqual(26);
    expect(totals['delete']).toBeLessThanOrEqual(16);
  });

  it('1,000 stacks of a server that just started never take more than 80 calls of an action in a minute', async () => {
    const stacks = await makeStacks(world, 1000);
    const server = world.as({}, 5);
    expect(await lookAtAll(server, stacks)).toEqual(new Set(['settled']));
    expect(countOf(server.sent)['ros.GetStack']).toBeGreaterThanOrEqual(1000);
    expect(mostInAMinute(server.sent)).toBeLessThanOrEqual(80);
  });
});
