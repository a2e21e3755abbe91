import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLimits, type ServiceLimits } from '../../../src/basics/config/limits.ts';
import { reportAgentStatus } from '../../../src/operations/agents/agent-report.ts';
import { reportContainerStatus } from '../../../src/operations/agents/container-report.ts';
import { describeContainers } from '../../../src/operations/agents/containers.ts';
import { readEvents } from '../../../src/operations/stacks/read/describe-stack.ts';
import { stackActor } from '../../actors.ts';
import { World } from '../../world.ts';

let world: World;
let stackId: string;
beforeEach(async () => {
  world = await World.open();
  stackId = await world.create();
});
afterEach(() => world.close());

const limitTo = (limits: Partial<ServiceLimits>) => {
  world.service.settings.limits = { ...defaultLimits, ...limits };
};
const agentOf = (id: string) => stackActor(world.actor.accountId, id);
const reportContainer = (containerId: string, status = 'running', instanceId = 'i-none') =>
  reportContainerStatus(world.service, agentOf(stackId), {
    stackId,
    agentId: 'a1',
    containerId,
    status,
    instanceId,
  });
const reportAgent = (agentId: string, status = 'running', instanceId = '') =>
  reportAgentStatus(world.service, agentOf(stackId), { stackId, agentId, status, instanceId });
const events = () =>
  readEvents(world.service, world.actor, { stackId, language: 'v3', after: 0, limit: 1000 });
const agentEvents = async () => (await events()).filter(({ kind }) => kind === 'agent');
const containers = async () =>
  (await describeContainers(world.service, world.actor, { stackId })).map((row) => row.container_id);
const minutes = (count: number) => world.clock.advance(count * 60_000);

const refused = { kind: 'too_many_requests', retryAfter: expect.any(Number) as number };

describe('a full list of agents', () => {
  it('accepts a spot notice about an instance of the stack, although invented agents filled it', async () => {
    limitTo({ agentEventsPerMinute: 0, containersPerStack: 5 });
    await world.settle();
    const [instance] = (await world.row(stackId)).view.instances;
    for (let number = 0; number < 5; number += 1) await reportAgent(`invented-${number}`);
    await expect(reportAgent('one more')).rejects.toMatchObject(refused);
    await reportAgent(instance?.id ?? '', 'spot_terminate', instance?.id);
    expect((await agentEvents()).some(({ status }) => status === 'spot_terminate')).toBe(true);
  });
});

describe('events from the agents of a stack', () => {
  it('are accepted up to the limit, refused beyond it, and accepted again after a minute', async () => {
    limitTo({ agentEventsPerMinute: 5 });
    for (let number = 0; number < 5; number += 1) await reportAgent('a1', `status ${number}`);
    await expect(reportAgent('a1', 'one more')).rejects.toMatchObject(refused);
    await expect(reportContainer('c1')).rejects.toMatchObject(refused);
    expect(await agentEvents()).toHaveLength(5);
    expect(await containers()).toEqual([]);
    minutes(1);
    await reportAgent('a1', 'one more');
    expect((await agentEvents()).at(-1)?.status).toBe('one more');
  });

  it('a repeated report is accepted at any rate, because it adds no event', async () => {
    limitTo({ agentEventsPerMinute: 1 });
    await reportAgent('a1');
    for (let times = 0; times < 10; times += 1) await reportAgent('a1');
    expect(await agentEvents()).toHaveLength(1);
  });

  it('the limit of one stack does not affect the agents of another', async () => {
    limitTo({ agentEventsPerMinute: 1 });
    await reportAgent('a1');
    await expect(reportAgent('a2')).rejects.toMatchObject(refused);
    stackId = await world.create();
    await reportAgent('a1');
    expect(await agentEvents()).toHaveLength(1);
  });

  it('the notice that the cloud reclaims an instance of the stack is accepted in a flood, others are not', async () => {
    limitTo({ agentEventsPerMinute: 1 });
    await world.settle();
    const [instance] = (await world.row(stackId)).view.instances;
    await reportAgent('a1');
    await expect(reportAgent('a9', 'spot_terminate', 'i-unknown')).rejects.toMatchObject(refused);
    await reportAgent('a2', 'spot_terminate', instance?.id);
    expect((await agentEvents()).at(-1)?.status).toBe('spot_terminate');
  });

  it('the oldest become one summary that counts them, and other events stay', async () => {
    limitTo({ agentEventsPerMinute: 0, agentEventsKept: 20 });
    const others = (await events()).filter(({ kind }) => kind !== 'agent');
    for (let number = 0; number < 100; number += 1) {
      await reportAgent('a1', `status ${number}`);
      world.clock.advance(1_000);
    }
    const [summary, ...rest] = await agentEvents();
    expect(1 + rest.length).toBeLessThanOrEqual(20);
    expect(summary?.message).toMatch(
      new RegExp(
        `^${100 - rest.length} older reports of agents, up to 20.*, were combined into this entry\\.$`,
      ),
    );
    expect(rest.at(-1)?.status).toBe('status 99');
    const all = await events();
    expect(all.filter(({ kind }) => kind !== 'agent')).toEqual(others);
    expect(all.map(({ number }) => number)).toEqual(
      all.map(({ number }) => number).toSorted((a, b) => a - b),
    );
  });
});

describe('containers of a stack', () => {
  it('are accepted up to the limit; one more is refused while all of them report', async () => {
    limitTo({ containersPerStack: 3 });
    for (const id of ['c1', 'c2', 'c3']) await reportContainer(id);
    await expect(reportContainer('c4')).rejects.toMatchObject(refused);
    await reportContainer('c3', 'stopped');
    expect((await containers()).toSorted()).toEqual(['c1', 'c2', 'c3']);
  });

  it('one that has not reported for 10 minutes makes room for a new one, and an event counts it', async () => {
    limitTo({ containersPerStack: 3 });
    await reportContainer('old');
    minutes(11);
    for (const id of ['c1', 'c2', 'new']) await reportContainer(id);
    expect((await containers()).toSorted()).toEqual(['c1', 'c2', 'new']);
    expect((await agentEvents()).map(({ message }) => message)).toContain(
      '1 containers without a report for 10 minutes were removed from the list, which holds 3.',
    );
  });

  it('those of current instances stay, however old their reports are', async () => {
    limitTo({ containersPerStack: 3 });
    await world.settle();
    const instance = (await world.row(stackId)).view.instances[0]?.id ?? '';
    await reportContainer('kept', 'running', instance);
    await reportContainer(instance, 'running', instance);
    for (let number = 0; number < 20; number += 1) {
      minutes(11);
      await reportContainer(`flood-${number}`);
    }
    expect(await containers()).toEqual(expect.arrayContaining(['kept', instance, 'flood-19']));
    expect(await containers()).toHaveLength(3);
  });

  it('agents have the same limit', async () => {
    limitTo({ containersPerStack: 2 });
    await reportAgent('a1');
    await reportAgent('a2');
    await expect(reportAgent('a3')).rejects.toMatchObject(refused);
    minutes(11);
    await reportAgent('a3');
    const rows = await world.database.query.selectFrom('agents').selectAll().execute();
    expect(rows.map(({ agent_id }) => agent_id).toSorted()).toEqual(['a2', 'a3']);
  });
});
