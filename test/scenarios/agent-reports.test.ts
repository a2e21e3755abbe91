import { describe, expect, it } from 'vitest';
import { noticeSilence } from '../../src/operations/rollouts/watch-silence.ts';
import {
  advance,
  allServe,
  instancesOf,
  report,
  revisionOf,
  served,
  settle,
  stateOf,
  useReportedWorld,
  world,
} from './reported-world.ts';
import { web } from './web.ts';

useReportedWorld();

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
