import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportAgentStatus } from '../../src/operations/agents/agent-report.ts';
import type { AppMembers } from '../../src/operations/agents/app-report.ts';
import { reportContainerStatus } from '../../src/operations/agents/container-report.ts';
import { readRollouts } from '../../src/operations/rollouts/read-rollouts.ts';
import { noticeSilence } from '../../src/operations/rollouts/watch-silence.ts';
import type { ReconcileTools } from '../../src/reconcile/tools.ts';
import { World } from '../world.ts';
import { web } from './web.ts';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  expect(world.errors).toEqual([]);
  await world.close();
});

/** A cloud that knows nothing about applications: only agents do. */
const tools = (): ReconcileTools => ({
  ...world.tools,
  connect: async (stack) => {
    const driver = { ...(await world.tools.connect(stack)) };
    delete driver.readApps;
    return driver;
  },
});
const settle = () => world.settle(world.worker('settler', tools()));
const advance = (seconds: number) => world.advance(seconds, world.worker('advancer', tools()));

const agentOf = (stackId: string) =>
  ({
    kind: 'stack',
    stackId,
    accountId: world.actor.accountId,
    clientId: stackId,
    clientKind: 'stack',
  }) as never;
const instancesOf = async (stackId: string) => (await world.row(stackId)).view.instances.map(({ id }) => id);
const revisionOf = async (stackId: string) => {
  const [newest] = await readRollouts(world.service, world.actor, { stackId });
  return newest?.row.revision ?? 0;
};

interface Said extends AppMembers {
  status?: string;
  message?: string;
}

const report = (stackId: string, instanceId: string, { status = 'uptodate', message, ...app }: Said) =>
  reportAgentStatus(world.service, agentOf(stackId), {
    stackId,
    agentId: `agent of ${instanceId}`,
    instanceId,
    status,
    message,
    app: { everySeconds: 60, flag: 'web0', ...app },
  });

async function allServe(stackId: string): Promise<void> {
  const revision = await revisionOf(stackId);
  for (const id of await instancesOf(stackId))
    await report(stackId, id, { revision, servingRevision: revision, image: 'shop:1', digest: 'sha256:1' });
}

/** A stack whose agents have named revisions. */
async function served(servers = 2): Promise<string> {
  const stackId = await world.create(web('shop:1', { servers }));
  await advance(20);
  await allServe(stackId);
  await settle();
  return stackId;
}

const stateOf = async (stackId: string) => {
  const { status, health } = await world.describe(stackId);
  return { status, health };
};

describe('agents that name no revision', () => {
  it('do not hold up their stack once they report, and nobody calls it healthy by silence', async () => {
    const stackId = await world.create(web('shop:1'));
    await advance(30);
    expect(await stateOf(stackId)).toEqual({ status: 'CREATE_IN_PROGRESS', health: 'unknown' });
    for (const agentId of await instancesOf(stackId))
      await reportAgentStatus(world.service, agentOf(stackId), { stackId, agentId, status: 'starting' });
    await settle();
    expect(await stateOf(stackId)).toEqual({ status: 'CREATE_COMPLETE', health: 'unknown' });
    await world.update(stackId, web('shop:2'));
    await advance(3);
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
    expect((await readRollouts(world.service, world.actor, { stackId }))[0]?.row.state).toBe('unknown');
  });

  it('are believed about their containers as long as they report', async () => {
    const stackId = await world.create(web('shop:1', { servers: 1 }));
    await advance(20);
    const [instanceId = ''] = await instancesOf(stackId);
    const container = { stackId, agentId: 'old', containerId: instanceId, instanceId };
    await reportAgentStatus(world.service, agentOf(stackId), { ...container, status: 'starting' });
    await reportContainerStatus(world.service, agentOf(stackId), { ...container, status: 'complete' });
    await world.update(stackId, web('shop:2', { servers: 1 }));
    await settle();
    expect(await stateOf(stackId)).toEqual({ status: 'UPDATE_COMPLETE', health: 'serving' });
  });
});

describe('agents that nobody has heard', () => {
  it('fail the creation of their stack after the time of its layer, and it is complete once they serve', async () => {
    const stackId = await world.create(web('shop:1', { more: { rollout_timeout: 60 } }));
    await advance(50);
    expect((await world.describe(stackId)).statusReason).toBe(
      'Layer web0: 0 of 2 instances serve the new container.',
    );
    await advance(60);
    expect(await world.describe(stackId)).toMatchObject({
      status: 'CREATE_FAILED',
      statusReason: expect.stringContaining(
        'No agent has reported from the 2 instances of the layer in time.',
      ),
      health: 'unknown',
    });
    await allServe(stackId);
    await settle();
    expect(await stateOf(stackId)).toEqual({ status: 'CREATE_COMPLETE', health: 'serving' });
  });
});

describe('agents that name their revision', () => {
  it('decide when an update is complete: not before the last of them serves it', async () => {
    const stackId = await served();
    expect(await stateOf(stackId)).toEqual({ status: 'CREATE_COMPLETE', health: 'serving' });
    await world.update(stackId, web('shop:2'));
    await advance(20);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    const revision = await revisionOf(stackId);
    const [one = '', two = ''] = await instancesOf(stackId);
    await report(stackId, one, { revision, servingRevision: revision });
    await advance(5);
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_IN_PROGRESS',
      statusReason: 'Layer web0: 1 of 2 instances serve the new container.',
    });
    await report(stackId, two, { revision, servingRevision: revision });
    await advance(1);
    expect(await stateOf(stackId)).toEqual({ status: 'UPDATE_COMPLETE', health: 'serving' });
  });

  it('fail an update at once if trying again cannot help, while the version before keeps serving', async () => {
    const stackId = await served();
    const before = await revisionOf(stackId);
    await world.update(stackId, web('shop:2'));
    await advance(2);
    const [one = ''] = await instancesOf(stackId);
    await report(stackId, one, {
      status: 'error',
      message: 'The container exited with code 3 and was restarted 5 times.',
      revision: await revisionOf(stackId),
      servingRevision: before,
      definite: true,
      lastLines: 'listening\npassword=hunter2\nboom',
    });
    await advance(2);
    expect((await world.describe(stackId)).doing).toBe('returning');
    await allServe(stackId);
    await advance(2);
    const { status, statusReason, health } = await world.describe(stackId);
    expect({ status, health }).toEqual({ status: 'UPDATE_FAILED', health: 'serving' });
    expect(statusReason).toContain('exited with code 3');
    expect(statusReason).toContain('boom');
    expect(statusReason).not.toContain('hunter2');
  });

  it('that may still succeed get the time of their layer', async () => {
    const stackId = await served(1);
    await world.update(
      stackId,
      web('shop:2', { servers: 1, more: { rollout_timeout: 60, on_failure: 'stay' } }),
    );
    await advance(2);
    const revision = await revisionOf(stackId);
    const [one = ''] = await instancesOf(stackId);
    await report(stackId, one, {
      status: 'error',
      message: 'The registry does not answer.',
      revision,
      servingRevision: 1,
    });
    await advance(30);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    await advance(60);
    expect(await world.describe(stackId)).toMatchObject({
      status: 'UPDATE_FAILED',
      statusReason: expect.stringContaining('The registry does not answer.'),
    });
    await report(stackId, one, { revision, servingRevision: revision });
    await settle();
    expect(await stateOf(stackId)).toEqual({ status: 'UPDATE_COMPLETE', health: 'serving' });
  });

  it('and fall silent make the health of their stack unknown, not its status', async () => {
    const stackId = await served();
    world.clock.advance(200_000);
    await noticeSilence(world.service);
    expect(await stateOf(stackId)).toEqual({ status: 'CREATE_COMPLETE', health: 'unknown' });
    await allServe(stackId);
    expect((await world.describe(stackId)).health).toBe('serving');
  });

  it('show which part of the instances serves', async () => {
    const stackId = await served();
    const revision = await revisionOf(stackId);
    const [one = ''] = await instancesOf(stackId);
    await report(stackId, one, {
      status: 'error',
      message: 'exited with code 1',
      revision,
      servingRevision: 0,
    });
    expect(await world.describe(stackId)).toMatchObject({
      health: 'degraded',
      healthReason: `1 of 2 instances serve. Instance ${one}: exited with code 1`,
    });
  });

  it('of servers that were added during a rollout are waited for', async () => {
    const stackId = await served(1);
    await world.update(stackId, web('shop:2', { servers: 2 }));
    await advance(120);
    const [one = '', two = ''] = await instancesOf(stackId);
    expect(two).not.toBe('');
    const revision = await revisionOf(stackId);
    await report(stackId, one, { revision, servingRevision: revision });
    await advance(2);
    expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
    await report(stackId, two, { revision, servingRevision: revision });
    await advance(2);
    expect((await world.describe(stackId)).status).toBe('UPDATE_COMPLETE');
  });

  it('of a deleted stack change nothing', async () => {
    const stackId = await served(1);
    const [one = ''] = await instancesOf(stackId);
    await world.delete(stackId);
    await report(stackId, one, { status: 'error', message: 'stopped', revision: 1, servingRevision: 0 });
    await settle();
    expect((await world.row(stackId)).status).toBe('DELETE_COMPLETE');
  });
});
