import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/operations/access/access.ts';
import {
  reportAgentStatus,
  reportContainerStatus,
  reportSpotShutdown,
} from '../../../src/operations/agents/agent-report.ts';
import { describeContainer, describeContainers } from '../../../src/operations/agents/containers.ts';
import { readEvents } from '../../../src/operations/stacks/read/describe-stack.ts';
import { findAgent } from '../../../src/store/stacks/agents.ts';
import { World } from '../../world.ts';

let world: World;
let stackId: string;
beforeEach(async () => {
  world = await World.open();
  stackId = await world.create();
});
afterEach(() => world.close());

const stackActor = (id: string): Actor => ({
  kind: 'stack',
  accountId: world.actor.accountId,
  stackId: id,
});
const agentEvents = async () =>
  (await readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 })).filter(
    (event) => event.kind === 'agent',
  );
const say = (status: string, message?: string) =>
  reportAgentStatus(world.service, stackActor(stackId), {
    stackId,
    agentId: 'a1',
    instanceId: 'i-1',
    status,
    message,
  });
const sayOfContainer = (status: string, containerId = 'c1', instanceId?: string) =>
  reportContainerStatus(world.service, stackActor(stackId), {
    stackId,
    agentId: 'a1',
    containerId,
    status,
    instanceId,
  });

describe('an agent', () => {
  it('that repeats itself moves the time only; what changes becomes an event', async () => {
    await say('starting');
    world.clock.advance(60_000);
    await say('starting');
    expect(await findAgent(world.database.query, stackId, 'a1')).toMatchObject({
      status: 'starting',
      updated_at: world.clock.now(),
    });
    await say('error', 'no space left');
    await say('error', 'no space left');
    await say('error', 'disk is gone');
    expect((await agentEvents()).map(({ status, message }) => [status, message])).toEqual([
      ['starting', 'Agent a1 on instance i-1 reports starting.'],
      ['error', 'Agent a1 on instance i-1 reports error: no space left'],
      ['error', 'Agent a1 on instance i-1 reports error: disk is gone'],
    ]);
  });

  it('that says the same twice at once is noted once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => say('starting')));
    expect(await agentEvents()).toHaveLength(1);
  });

  it('cannot write control characters, endless texts or secrets into what people read', async () => {
    const hostile = `\u001b[2J\u0000red\r\nnext\u202Eline password=hunter2 ${'x'.repeat(100_000)}`;
    await say('err\u0007or\n', hostile);
    const [event] = await agentEvents();
    expect(event?.status).toBe('err or');
    expect(event?.message).toMatch(/reports err or: \[2J red next line password=\[redacted\] x+$/);
    expect(event?.message.length).toBeLessThan(2100);
    const row = await findAgent(world.database.query, stackId, 'a1');
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(`${row?.status}${row?.message}`).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('that leaks a private key does not have it kept', async () => {
    await say('error', 'bad key:\n-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\nend');
    expect((await agentEvents())[0]?.message).toMatch(/bad key: \[redacted\] end$/);
  });

  it('must say something', async () => {
    await expect(say('\u0000\n')).rejects.toThrow('status must not be empty');
  });
});

describe('a container', () => {
  it('is known by its last report', async () => {
    await sayOfContainer('starting', 'c1', 'i-1');
    world.clock.advance(5_000);
    await sayOfContainer('running');
    await sayOfContainer('running');
    expect(await describeContainer(world.service, world.actor, 'c1')).toMatchObject({
      stack_id: stackId,
      instance_id: 'i-1',
      status: 'running',
      updated_at: world.clock.now(),
    });
    expect((await agentEvents()).map((event) => event.message)).toEqual([
      'Container c1 on instance i-1 is reported as starting.',
      'Container c1 on instance i-1 is reported as running.',
    ]);
  });

  it('is listed by instance where both are given', async () => {
    await sayOfContainer('running', 'c1', 'i-1');
    await sayOfContainer('running', 'c2', 'i-2');
    const listed = await describeContainers(world.service, world.actor, { stackId, instanceId: 'i-2' });
    expect(listed.map((container) => container.container_id)).toEqual(['c2']);
    expect(await describeContainers(world.service, world.actor, { stackId })).toHaveLength(2);
  });
});

describe('who may speak for a stack', () => {
  const stranger: Actor = {
    kind: 'user',
    accountId: 'another',
    userId: 'x',
    username: 'x',
    master: true,
    roles: [],
  };
  const report = (actor: Actor) =>
    reportAgentStatus(world.service, actor, { stackId, agentId: 'a1', status: 'starting' });

  it.each([
    ['another stack', () => stackActor('mo-other'), 'forbidden'],
    ['another account', () => stranger, 'not_found'],
  ] as const)('not %s', async (_, actor, kind) => {
    await expect(report(actor())).rejects.toMatchObject({ kind });
    expect(await agentEvents()).toEqual([]);
  });

  it('a user and an API client of the account', async () => {
    await report(world.actor);
    await report({ kind: 'client', accountId: world.actor.accountId, clientId: 'lg-1' });
    expect(await agentEvents()).toHaveLength(1);
  });

  it('nobody once it is deleted', async () => {
    await world.delete(stackId);
    await world.settle();
    await expect(report(world.actor)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('not one who names another user in a shutdown event', async () => {
    const given = { stackId, instanceId: 'i-1', userId: 'somebody' };
    const reported = reportSpotShutdown(world.service, stackActor(stackId), given);
    await expect(reported).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await agentEvents()).toEqual([]);
  });
});
