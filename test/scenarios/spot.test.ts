import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportAgentStatus, reportSpotShutdown } from '../../src/operations/agents/agent-report.ts';
import type { AgentReport } from '../../src/operations/agents/app-report.ts';
import { readEvents } from '../../src/operations/stacks/read/describe-stack.ts';
import { leaseMs } from '../../src/reconcile/loop.ts';
import { listReplacements } from '../../src/store/stacks/replacements.ts';
import { stackActor } from '../actors.ts';
import { World } from '../world.ts';
import { Crash, dyingTools } from './crash.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** A group of four, half of them spot instances. */
const group = (min = 4) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        availability_zone: 'ap-northeast-1a',
        auto_scaling: { min, max: 8, availability_zones: 'ap-northeast-1a', spot_to_ondemand_ratio: 50 },
      },
    },
  ],
});

const instancesOf = async (stack: string) => (await world.describe(stack)).view.instances;
const idsOf = async (stack: string) => (await instancesOf(stack)).map(({ id }) => id);

async function settledGroup() {
  const stack = await world.create(group());
  await world.settle();
  world.clock.advance(1000);
  const spot = (await instancesOf(stack)).find((instance) => instance.spot);
  const ordinary = (await instancesOf(stack)).find((instance) => !instance.spot);
  return { stack, spot: spot?.id ?? '', ordinary: ordinary?.id ?? '', before: await idsOf(stack) };
}

/** A report of the agent on the instance, with the token of the stack. */
const report = (stackId: string, changes: Partial<AgentReport>) => {
  const actor = stackActor(world.actor.accountId, stackId);
  const agentId = '6f1c1f0e-0c1b-4b43-9e5e-0d5f8f5b2a11';
  return reportAgentStatus(world.service, actor, { stackId, agentId, status: 'spot_terminate', ...changes });
};

const eventsAfter = async (stack: string, time: number) =>
  (
    await readEvents(world.service, world.actor, { stackId: stack, language: 'v3', after: 0, limit: 1000 })
  ).filter((event) => event.at >= time);

const openReplacements = (stack: string) => listReplacements(world.database.query, stack);

describe('a spot instance with a termination notice', () => {
  it('is replaced by exactly one instance, and the events show every step', async () => {
    const { stack, spot, before } = await settledGroup();
    const noticed = world.clock.now();
    await report(stack, { instanceId: spot });
    await world.settle();
    expect(world.errors).toEqual([]);
    expect(await instancesOf(stack)).toHaveLength(4);
    expect((await instancesOf(stack)).every(({ state }) => state === 'running')).toBe(true);
    expect((await instancesOf(stack)).filter((instance) => instance.spot)).toHaveLength(2);
    const fresh = (await idsOf(stack)).filter((id) => !before.includes(id));
    expect(fresh).toHaveLength(1);
    expect(await idsOf(stack)).not.toContain(spot);
    expect(await openReplacements(stack)).toEqual([]);
    const story = (await eventsAfter(stack, noticed)).map((event) => [
      event.at - noticed,
      event.status || event.message,
    ]);
    expect(story).toEqual([
      [0, 'spot_terminate'],
      [0, `The vendor was asked to replace instance ${spot}.`],
      [0, 'SPOT_NOTICE'],
      [0, 'REPLACEMENT_LAUNCHED'],
      [3500, 'REPLACEMENT_IN_SERVICE'],
      [3500, 'DRAINING'],
      [4900, 'TERMINATED'],
      [4900, `Instance ${spot} is gone; its replacement is complete.`],
    ]);
    expect(await world.describe(stack)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  it('is replaced once, however often it is reported and by whom', async () => {
    const { stack, spot, before } = await settledGroup();
    for (let time = 0; time < 5; time += 1) {
      await report(stack, { instanceId: spot });
      await world.advance(1);
    }
    await reportSpotShutdown(world.service, world.actor, { stackId: stack, instanceId: spot });
    await world.settle();
    for (let time = 0; time < 3; time += 1) await report(stack, { instanceId: spot });
    await world.settle();
    expect((await idsOf(stack)).filter((id) => !before.includes(id))).toHaveLength(1);
    expect(await instancesOf(stack)).toHaveLength(4);
    const states = (await eventsAfter(stack, 0)).map((event) => event.status);
    expect(states.filter((state) => state === 'REPLACEMENT_LAUNCHED')).toHaveLength(1);
    expect(states.filter((state) => state === 'spot_terminate')).toHaveLength(2);
  });

  it.each(['before', 'after'] as const)(
    'is replaced once if the worker dies %s the vendor accepted',
    async (moment) => {
      const { stack, spot, before } = await settledGroup();
      await report(stack, { instanceId: spot });
      const expectedActs = ['connect', 'observe', 'replace'];
      const { tools, acts } = dyingTools(world.tools, { act: expectedActs.length, moment });
      await world.worker('dying', tools).runDue();
      expect(acts).toEqual(expectedActs);
      expect(world.errors.length > 0 && world.errors.every((error) => error instanceof Crash)).toBe(true);
      expect(await openReplacements(stack)).toMatchObject([{ asked_at: null }]);
      world.clock.advance(leaseMs + 1);
      await report(stack, { instanceId: spot });
      await world.settle(world.worker('successor'));
      expect((await idsOf(stack)).filter((id) => !before.includes(id))).toHaveLength(1);
      expect(await instancesOf(stack)).toHaveLength(4);
      expect(await idsOf(stack)).not.toContain(spot);
      expect(await openReplacements(stack)).toEqual([]);
    },
  );

  it('during an update is replaced, and the stack gets as many instances as the update requires', async () => {
    const { stack, spot } = await settledGroup();
    await world.update(stack, group(6));
    await world.advance(1);
    await report(stack, { instanceId: spot });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    expect(await instancesOf(stack)).toHaveLength(6);
    expect(await idsOf(stack)).not.toContain(spot);
  });

  it('is replaced after the vendor is reachable again', async () => {
    const { stack, spot } = await settledGroup();
    await world.fault({ kind: 'unreachable', seconds: 30 }, stack);
    await report(stack, { instanceId: spot });
    await world.advance(10);
    expect(await openReplacements(stack)).toMatchObject([{ asked_at: null }]);
    await world.settle();
    expect(await idsOf(stack)).not.toContain(spot);
    expect(await instancesOf(stack)).toHaveLength(4);
  });
});

describe('a notice without effect', () => {
  const expectNothing = async (stack: string, before: string[], sentence: RegExp) => {
    await world.settle();
    expect((await idsOf(stack)).toSorted()).toEqual(before.toSorted());
    expect(await openReplacements(stack)).toEqual([]);
    const messages = (await eventsAfter(stack, 0)).map((event) => event.message);
    expect(messages.filter((message) => sentence.test(message))).toHaveLength(1);
  };

  it('is one for an instance of another stack', async () => {
    const { stack, before } = await settledGroup();
    await report(stack, { instanceId: 'i-elsewhere' });
    await expectNothing(stack, before, /^Instance i-elsewhere is not in this stack/);
  });

  it('is one for an on-demand instance', async () => {
    const { stack, ordinary, before } = await settledGroup();
    await report(stack, { instanceId: ordinary });
    await expectNothing(stack, before, /^The vendor refused to replace .* is not a spot instance/);
  });

  it('is one without an instance id', async () => {
    const { stack, before } = await settledGroup();
    await report(stack, {});
    await expectNothing(stack, before, /does not name the instance/);
  });

  it('is one on a vendor that cannot replace single instances', async () => {
    const { stack, spot, before } = await settledGroup();
    await report(stack, { instanceId: spot });
    const connect = async (claim: Parameters<typeof world.tools.connect>[0]) => {
      const driver = { ...(await world.tools.connect(claim)) };
      delete driver.replaceInstance;
      return driver;
    };
    await world.worker('plain', { ...world.tools, connect }).runDue();
    await expectNothing(stack, before, /^Vendor aws cannot replace single instances/);
  });

  it('is one with another status: it is recorded and changes nothing', async () => {
    const { stack, spot, before } = await settledGroup();
    await report(stack, { instanceId: spot, status: 'notice', message: 'rebalance recommended' });
    await expectNothing(stack, before, /reports notice: rebalance recommended/);
  });

  it.each(['just before', 'after'] as const)('is one for a stack %s its deletion', async (moment) => {
    const { stack, spot } = await settledGroup();
    if (moment === 'just before') await report(stack, { instanceId: spot });
    await world.delete(stack);
    if (moment === 'after') await report(stack, { instanceId: spot });
    await world.settle();
    expect(await world.describe(stack)).toMatchObject({ status: 'DELETE_COMPLETE' });
    expect(await openReplacements(stack)).toEqual([]);
    expect(await world.inTheCloud()).toEqual({});
  });
});
