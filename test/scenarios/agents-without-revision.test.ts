import { describe, expect, it } from 'vitest';
import { reportAgentStatus } from '../../src/operations/agents/agent-report.ts';
import { reportContainerStatus } from '../../src/operations/agents/container-report.ts';
import { readRollouts } from '../../src/operations/rollouts/read-rollouts.ts';
import {
  advance,
  agentOf,
  allServe,
  instancesOf,
  settle,
  stateOf,
  useReportedWorld,
  world,
} from './reported-world.ts';
import { web } from './web.ts';

useReportedWorld();

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

it('an agent that does not say where it runs, and fell silent long ago, ends no wait for the others', async () => {
  const stackId = await world.create(web('shop:1', { servers: 1 }));
  await advance(20);
  await reportAgentStatus(world.service, agentOf(stackId), { stackId, agentId: 'old', status: 'starting' });
  await settle();
  expect((await world.describe(stackId)).status).toBe('CREATE_COMPLETE');
  world.clock.advance(60 * 60_000);
  await world.update(stackId, web('shop:2', { servers: 1 }));
  await advance(20);
  expect((await world.describe(stackId)).status).toBe('UPDATE_IN_PROGRESS');
});
