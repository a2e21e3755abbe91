import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/operations/access/access.ts';
import { reportAgentStatus, reportSpotShutdown } from '../../../src/operations/agents/agent-report.ts';
import { reportContainerStatus } from '../../../src/operations/agents/container-report.ts';
import { describeContainer, describeContainers } from '../../../src/operations/agents/containers.ts';
import { readEvents } from '../../../src/operations/stacks/read/describe-stack.ts';
import { findAgent } from '../../../src/store/stacks/agents.ts';
import { clientActor, stackActor, userActor } from '../../actors.ts';
import { readableTexts, secretTexts } from '../../basics/text/secret-texts.ts';
import { World } from '../../world.ts';

let world: World;
let stackId: string;
beforeEach(async () => {
  world = await World.open();
  stackId = await world.create();
});
afterEach(() => world.close());

const agent = (id: string) => stackActor(world.actor.accountId, id);
const agentEvents = async () =>
  (await readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 })).filter(
    (event) => event.kind === 'agent',
  );
const report = (status: string, message?: string) =>
  reportAgentStatus(world.service, agent(stackId), {
    stackId,
    agentId: 'a1',
    instanceId: 'i-1',
    status,
    message,
  });
const reportContainer = (status: string, containerId = 'c1', instanceId?: string) =>
  reportContainerStatus(world.service, agent(stackId), {
    stackId,
    agentId: 'a1',
    containerId,
    status,
    instanceId,
  });

describe('an agent report', () => {
  it('becomes an event if it changes something; a repeat only updates the time', async () => {
    await report('starting');
    world.clock.advance(60_000);
    await report('starting');
    expect(await findAgent(world.database.query, stackId, 'a1')).toMatchObject({
      status: 'starting',
      updated_at: world.clock.now(),
    });
    await report('error', 'no space left');
    await report('error', 'no space left');
    await report('error', 'disk is gone');
    expect((await agentEvents()).map(({ status, message }) => [status, message])).toEqual([
      ['starting', 'Agent a1 on instance i-1 reports starting.'],
      ['error', 'Agent a1 on instance i-1 reports error: no space left'],
      ['error', 'Agent a1 on instance i-1 reports error: disk is gone'],
    ]);
  });

  it('sent several times at once becomes one event', async () => {
    await Promise.all(Array.from({ length: 5 }, () => report('starting')));
    expect(await agentEvents()).toHaveLength(1);
  });

  it('is stored without control characters and secrets, and truncated', async () => {
    const hostile = `\u001b[2J\u0000red\r\nnext\u202Eline password=hunter2 ${'x'.repeat(100_000)}`;
    await report('err\u0007or\n', hostile);
    const [event] = await agentEvents();
    expect(event?.status).toBe('err or');
    expect(event?.message).toMatch(/reports err or: \[2J red next line password=\[redacted\] x+$/);
    expect(event?.message.length).toBeLessThan(2100);
    const row = await findAgent(world.database.query, stackId, 'a1');
    // oxlint-disable-next-line no-control-regex -- asserts that there are none
    expect(`${row?.status}${row?.message}`).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('is stored without a private key it contains', async () => {
    await report('error', 'bad key:\n-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\nend');
    expect((await agentEvents())[0]?.message).toMatch(/bad key: \[redacted\] end$/);
  });

  it('becomes events without anything that looks like a secret, in which similar texts stay readable', async () => {
    for (const [text] of secretTexts) await report(text, text);
    for (const text of readableTexts) await report('error', text);
    const written = (await agentEvents()).map(({ status, message }) => `${status} ${message}`).join('\n');
    for (const [, secret] of secretTexts) expect(written).not.toContain(secret);
    for (const text of readableTexts) expect(written).toContain(text);
  });

  it('without a printable status is rejected', async () => {
    await expect(report('\u0000\n')).rejects.toThrow('status must not be empty');
  });
});

describe('a container', () => {
  it('has the status of its last report', async () => {
    await reportContainer('starting', 'c1', 'i-1');
    world.clock.advance(5_000);
    await reportContainer('running');
    await reportContainer('running');
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

  it('is listed by instance if both stack and instance are given', async () => {
    await reportContainer('running', 'c1', 'i-1');
    await reportContainer('running', 'c2', 'i-2');
    const listed = await describeContainers(world.service, world.actor, { stackId, instanceId: 'i-2' });
    expect(listed.map((container) => container.container_id)).toEqual(['c2']);
    expect(await describeContainers(world.service, world.actor, { stackId })).toHaveLength(2);
  });
});

describe('a report for a stack', () => {
  const otherAccount = userActor('another', { userId: 'x', username: 'x' });
  const reportAs = (actor: Actor) =>
    reportAgentStatus(world.service, actor, { stackId, agentId: 'a1', status: 'starting' });

  it.each([
    ['another stack', () => agent('mo-other'), 'forbidden'],
    ['another account', () => otherAccount, 'not_found'],
  ] as const)('by %s is refused', async (_, actor, kind) => {
    await expect(reportAs(actor())).rejects.toMatchObject({ kind });
    expect(await agentEvents()).toEqual([]);
  });

  it('by a user and by an API client of the account is accepted', async () => {
    await reportAs(world.actor);
    await reportAs(clientActor(world.actor.accountId));
    expect(await agentEvents()).toHaveLength(1);
  });

  it('is refused once the stack is deleted', async () => {
    await world.delete(stackId);
    await world.settle();
    await expect(reportAs(world.actor)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('of a spot shutdown is refused if it names another user', async () => {
    const shutdown = { stackId, instanceId: 'i-1', userId: 'another' };
    const reported = reportSpotShutdown(world.service, agent(stackId), shutdown);
    await expect(reported).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await agentEvents()).toEqual([]);
  });
});
