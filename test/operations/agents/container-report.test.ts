import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../src/basics/config/limits.ts';
import type { Actor } from '../../../src/operations/access/access.ts';
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

interface Sent {
  containerId?: string;
  to?: string;
  as?: Actor;
}

/** What came of it: `accepted`, or the kind of the failure. */
const send = (status: string, { containerId = 'c1', to = stackId, as }: Sent = {}) =>
  reportContainerStatus(world.service, as ?? stackActor(world.actor.accountId, to), {
    stackId: to,
    agentId: 'a1',
    containerId,
    status,
  }).then(
    () => 'accepted',
    (error: { kind: string }) => error.kind,
  );

const eventsOf = async (id: string) =>
  (await readEvents(world.service, world.actor, { stackId: id, language: 'v3', after: 0, limit: 1000 }))
    .filter(({ kind }) => kind === 'agent')
    .map(({ resource, status }) => `${resource} ${status}`);
const statuses = async (id: string) =>
  Object.fromEntries(
    (await describeContainers(world.service, world.actor, { stackId: id })).map((row) => [
      row.container_id,
      row.status,
    ]),
  );

describe('reports about containers that arrive together', () => {
  it('leave the last state of a container, and an event for every change before it, in order', async () => {
    await send('starting');
    const sent = ['running', 'running', 'restarting', 'running', 'terminated'].map((status) => send(status));
    expect(await Promise.all(sent)).toEqual(sent.map(() => 'accepted'));
    expect(await statuses(stackId)).toEqual({ c1: 'terminated' });
    expect(await eventsOf(stackId)).toEqual(
      ['starting', 'running', 'restarting', 'running', 'terminated'].map((status) => `c1 ${status}`),
    );
  });

  it('of several stacks are recorded for each, with numbers of events without a gap', async () => {
    const other = await world.create();
    const ids = Array.from({ length: 70 }, (_, number) => `c${number}`);
    await Promise.all(
      ids.flatMap((containerId) => [
        send('starting', { containerId }),
        send('running', { containerId, to: other }),
      ]),
    );
    expect(await eventsOf(stackId)).toEqual(ids.map((id) => `${id} starting`));
    expect(await eventsOf(other)).toEqual(ids.map((id) => `${id} running`));
    const numbers = (
      await readEvents(world.service, world.actor, {
        stackId: other,
        language: 'v3',
        after: 0,
        limit: 1000,
      })
    ).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect((await world.row(other)).event_count).toBe(numbers.length);
  });

  it('are refused one by one: for a stack that does not exist, of another account, or with the wrong token', async () => {
    const outcomes = await Promise.all([
      send('running'),
      send('running', { to: 'mo-none' }),
      send('running', { as: stackActor('another account', stackId) }),
      send('running', { as: stackActor(world.actor.accountId, 'mo-other') }),
      send('running', { containerId: 'c2' }),
    ]);
    expect(outcomes).toEqual(['accepted', 'not_found', 'not_found', 'forbidden', 'accepted']);
    expect(await statuses(stackId)).toEqual({ c1: 'running', c2: 'running' });
  });

  it('are accepted up to the limit of containers and of changes in a minute, exactly', async () => {
    world.service.settings.limits = { ...defaultLimits, containersPerStack: 3 };
    const ids = ['c1', 'c2', 'c3', 'c4', 'c5'];
    const outcomes = await Promise.all(ids.map((containerId) => send('running', { containerId })));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(3);
    expect(Object.keys(await statuses(stackId))).toHaveLength(3);
    world.service.settings.limits = { ...defaultLimits, agentEventsPerMinute: 5 };
    const changes = await Promise.all(['a', 'b', 'c', 'd'].map((status) => send(status)));
    expect(changes).toEqual(['accepted', 'accepted', 'too_many_requests', 'too_many_requests']);
    expect(await statuses(stackId)).toMatchObject({ c1: 'b' });
    expect(await eventsOf(stackId)).toHaveLength(5);
  });
});
