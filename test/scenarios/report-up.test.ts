import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportAgentStatus } from '../../src/operations/agents/agent-report.ts';
import { leaseMs } from '../../src/reconcile/loop.ts';
import { stackActor } from '../actors.ts';
import { WaitingCloud } from '../stand-in-vendor.ts';
import { oneServer, World } from '../world.ts';
import { dyingTools } from './crash.ts';

let world: World;
let cloud: WaitingCloud;
beforeEach(async () => {
  world = await World.open();
  cloud = new WaitingCloud(world.service);
});
afterEach(() => world.close());

const statusOf = async (stack: string) => (await world.describe(stack)).status;
const instancesOf = async (stack: string) => (await world.describe(stack)).view.instances;

/** A stack whose servers run, and whose creation waits for the first report. */
async function waitingStack(servers = 1): Promise<{ stack: string; ids: string[] }> {
  const stack = await world.create(oneServer(servers));
  await world.advance(200);
  expect(await statusOf(stack)).toBe('CREATE_IN_PROGRESS');
  return { stack, ids: (await instancesOf(stack)).map(({ id }) => id) };
}

const report = (stackId: string, instanceId: string | undefined, status = 'running') =>
  reportAgentStatus(world.service, stackActor(world.actor.accountId, stackId), {
    stackId,
    agentId: `agent-on-${instanceId}`,
    status,
    instanceId,
  });

describe('the first report of an agent', () => {
  it('is passed on to the vendor in the next pass, which starts within a second, and the operation continues', async () => {
    const { stack, ids } = await waitingStack();
    expect(cloud.reports).toEqual([]);
    const before = world.clock.now();
    await report(stack, ids[0]);
    expect((await world.row(stack)).next_at).toBe(before + 1000);
    await world.settle();
    expect(cloud.reports[0]).toEqual([`web0 ${ids[0]}`]);
    expect(await statusOf(stack)).toBe('CREATE_COMPLETE');
    expect(world.errors).toEqual([]);
  });

  it('is not lost if the server dies right after it, or at any moment of the pass', async () => {
    for (const moment of ['before', 'after'] as const)
      for (let act = 1; act <= 4; act += 1) {
        cloud.wait();
        cloud.reports.length = 0;
        const { stack, ids } = await waitingStack();
        await report(stack, ids[0]);
        const { tools } = dyingTools(world.tools, { act, moment });
        await world.worker('dying', tools).runDue();
        world.clock.advance(leaseMs + 1);
        await world.settle(world.worker('successor'));
        expect(cloud.reports[0]).toEqual([`web0 ${ids[0]}`]);
        expect(await statusOf(stack)).toBe('CREATE_COMPLETE');
        await world.delete(stack);
        await world.settle();
      }
  });

  it('is passed on again if the vendor cannot be reached, and its outage fails nothing', async () => {
    const { stack, ids } = await waitingStack();
    cloud.lost = 3;
    await report(stack, ids[0]);
    await world.advance(10);
    expect(cloud.lost).toBe(0);
    await world.settle();
    expect(cloud.reports[0]).toEqual([`web0 ${ids[0]}`]);
    expect(await statusOf(stack)).toBe('CREATE_COMPLETE');
    expect(world.errors).toEqual([]);
  });

  it('that the vendor does not accept is repeated less and less often, and the stack says why once', async () => {
    const { stack, ids } = await waitingStack();
    cloud.denial = 'Permission denied: signal.';
    await report(stack, ids[0]);
    await world.advance(600);
    expect(cloud.calls).toBeGreaterThan(3);
    expect(cloud.calls).toBeLessThan(20);
    const { status, statusReason } = await world.describe(stack);
    const reason =
      'The vendor rejects the credential; retrying: it cannot be informed which servers are up: Permission denied: signal.';
    expect([status, statusReason]).toEqual(['CREATE_IN_PROGRESS', reason]);
    cloud.denial = undefined;
    await world.advance(120);
    expect(await statusOf(stack)).toBe('CREATE_COMPLETE');
    const troubles = (await world.story(stack)).filter((text) => /credential/.test(text));
    expect(troubles).toEqual([reason, 'The vendor accepts the credential again.']);
    expect(world.errors).toEqual([]);
  });

  it('starts one pass together with those of other servers', async () => {
    const { stack, ids } = await waitingStack(5);
    const at = world.clock.now() + 1000;
    for (const id of ids) await report(stack, id);
    expect((await world.row(stack)).next_at).toBe(at);
    await world.advance(1);
    expect(cloud.reports[0]?.toSorted()).toEqual(ids.map((id) => `web0 ${id}`).toSorted());
  });

  it('starts another pass if one runs now, which may have read the reports before', async () => {
    const { stack, ids } = await waitingStack();
    const now = world.clock.now();
    const running = { lease_until: now + leaseMs, lease_owner: 'one', next_at: now };
    await world.database.query.updateTable('stacks').set(running).where('id', '=', stack).execute();
    await report(stack, ids[0]);
    expect((await world.row(stack)).next_at).toBe(now + 1000);
  });

  it('of a server that no pass has seen yet starts one within 30 seconds, not more often whatever ids it names', async () => {
    const { stack, ids } = await waitingStack();
    await report(stack, ids[0]);
    await world.settle();
    const now = world.clock.now();
    const { next_at: later, wakes } = await world.row(stack);
    expect(later).toBeGreaterThan(now + 30_000);
    for (const id of ['i-one', 'i-other', 'i-one', 'i-other']) {
      await report(stack, id);
      expect(await world.row(stack)).toMatchObject({ next_at: now + 30_000, wakes });
    }
    world.clock.advance(29_000);
    await report(stack, 'i-third');
    expect((await world.row(stack)).next_at).toBe(now + 30_000);
  });

  it('names only servers of the stack, with the layer that the vendor knows', async () => {
    const { stack, ids } = await waitingStack(2);
    await report(stack, 'i-of-someone-else');
    await report(stack, undefined);
    await world.advance(120);
    expect(cloud.reports).toEqual([]);
    await report(stack, ids[1]);
    await world.advance(2);
    expect(cloud.reports[0]).toEqual([`web0 ${ids[1]}`]);
  });

  it('of a server that a group starts later is passed on although the stack is complete', async () => {
    const { stack, ids } = await waitingStack();
    await report(stack, ids[0]);
    await world.settle();
    const before = cloud.reports.length;
    await world.database.query.deleteFrom('agents').execute();
    await report(stack, ids[0]);
    await world.advance(2);
    expect(cloud.reports.length).toBeGreaterThan(before);
  });
});

describe('later reports', () => {
  it('do not start a pass', async () => {
    const { stack, ids } = await waitingStack();
    await report(stack, ids[0]);
    await world.settle();
    const { next_at: nextAt } = await world.row(stack);
    await report(stack, ids[0]);
    await report(stack, ids[0], 'updating');
    expect((await world.row(stack)).next_at).toBe(nextAt);
  });

  it('are not needed: every operation hears of servers that reported before it began', async () => {
    const { stack, ids } = await waitingStack();
    await report(stack, ids[0]);
    await world.settle();
    world.clock.advance(86_400_000);
    cloud.wait();
    cloud.reports.length = 0;
    await world.update(stack, oneServer(2));
    await world.settle();
    expect(cloud.reports[0]).toEqual([`web0 ${ids[0]}`]);
    expect(await statusOf(stack)).toBe('UPDATE_COMPLETE');
  });
});

it('a stack of a vendor that does not wait for agents gets no pass for a report', async () => {
  const plain = await World.open();
  try {
    const stackId = await plain.create();
    await plain.settle();
    const { view } = await plain.describe(stackId);
    const { next_at: nextAt } = await plain.row(stackId);
    const actor = stackActor(plain.actor.accountId, stackId);
    const agentReport = { stackId, agentId: 'a', status: 'running', instanceId: view.instances[0]?.id };
    await reportAgentStatus(plain.service, actor, agentReport);
    expect((await plain.row(stackId)).next_at).toBe(nextAt);
  } finally {
    await plain.close();
  }
});
