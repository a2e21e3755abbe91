import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/operations/access/access.ts';
import { reportAgentStatus } from '../../../src/operations/agents/agent-report.ts';
import type { Service } from '../../../src/operations/service.ts';
import { followEvents } from '../../../src/operations/stacks/read/follow-events.ts';
import { addEvents, type NewEvent } from '../../../src/store/stacks/events.ts';
import { eventually } from '../../http.ts';
import { World } from '../../world.ts';
import { revoke, signedIn } from './signed-in.ts';

let world: World;
let stackId: string;
beforeEach(async () => {
  world = await World.open();
  stackId = await world.create();
});
afterEach(() => world.close());

/** The receiving end of a stream, which notes what it gets. */
class Reader {
  readonly events: number[] = [];
  heartbeats = 0;
  state: 'open' | 'ended' | 'dropped' = 'open';
  takesMore = true;

  take(events: readonly { number: number }[]): boolean {
    this.events.push(...events.map(({ number }) => number));
    return this.takesMore;
  }
  heartbeat = () => void (this.heartbeats += 1);
  end = () => void (this.state = 'ended');
  drop = () => void (this.state = 'dropped');
}

async function open(actor: Actor = world.actor, service: Service = world.service) {
  const reader = new Reader();
  const stream = await followEvents(service, actor, { stackId, language: 'v3', after: 0, follower: reader });
  return Object.assign(reader, { stream });
}

const until = (isMet: () => boolean) => eventually(async () => isMet(), Boolean);

const addSome = async (count: number): Promise<void> => {
  const event: NewEvent = { at: world.clock.now(), kind: 'step', message: 'A step.' };
  const events = Array.from({ length: count }, () => event);
  await world.database.transaction((query) => addEvents(query, stackId, events));
  await world.database.notify('stack-event', stackId);
};

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('many event streams of one stack', () => {
  it('get every event once and in order, whenever they joined', async () => {
    const early = await open();
    await until(() => early.events.length > 0);
    await addSome(250);
    const late = await open();
    const all = (await world.row(stackId)).event_count;
    await until(() => early.events.length === all && late.events.length === all);
    await addSome(3);
    await until(() => late.events.length === all + 3);
    expect([early.events, late.events]).toEqual([numbersTo(all + 3), numbersTo(all + 3)]);
  });

  it('cost the same number of queries per event as one stream', async () => {
    let queries = 0;
    const counted = world.database.query.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const service: Service = { ...world.service, database: { ...world.database, query: counted } };
    const queriesForOneEvent = async (readers: readonly Reader[]): Promise<number> => {
      const { event_count: known } = await world.row(stackId);
      await until(() => readers.every(({ events }) => events.length === known));
      queries = 0;
      await addSome(1);
      await until(() => readers.every(({ events }) => events.length === known + 1));
      return queries;
    };
    const actor = await signedIn(world, 'alm_shared');
    const readers = [await open(actor, service)];
    const alone = await queriesForOneEvent(readers);
    for (let count = 1; count < 100; count += 1) readers.push(await open(actor, service));
    expect(await queriesForOneEvent(readers)).toBe(alone);
  });

  it('get their heartbeats together, every 5 seconds', async () => {
    const readers = await Promise.all([open(), open(), open()]);
    for (const round of [1, 2]) {
      world.clock.advance(5_000);
      await until(() => readers.every(({ heartbeats }) => heartbeats === round));
    }
  });

  it('find events whose notification was lost with the next heartbeat', async () => {
    const reader = await open();
    const { event_count: known } = await world.row(stackId);
    await until(() => reader.events.length === known);
    const event: NewEvent = { at: 1, kind: 'step', message: 'Nobody hears of this.' };
    await world.database.transaction((query) => addEvents(query, stackId, [event]));
    world.clock.advance(5_000);
    await until(() => reader.events.length === known + 1);
  });
});

describe('an event stream', () => {
  it('ends with the heartbeat after its token is revoked; others stay open', async () => {
    const reader = await open(await signedIn(world, 'alm_one'));
    const other = await open(await signedIn(world, 'alm_two'));
    await revoke(world, 'alm_one');
    world.clock.advance(5_000);
    await until(() => reader.state === 'ended' && other.heartbeats === 1);
    expect(other.state).toBe('open');
  });

  it('delivers no event that happens after its token is revoked', async () => {
    const reader = await open(await signedIn(world, 'alm_one'));
    const { event_count: known } = await world.row(stackId);
    await until(() => reader.events.length === known);
    await revoke(world, 'alm_one');
    await addSome(1);
    await until(() => reader.state === 'ended');
    expect(reader.events).toEqual(numbersTo(known));
  });

  it('ends after 15 minutes, so that the client comes back with a valid token', async () => {
    const reader = await open();
    for (let second = 0; second < 15 * 60; second += 5) {
      const { heartbeats } = reader;
      world.clock.advance(5_000);
      await until(() => reader.heartbeats > heartbeats || reader.state !== 'open');
    }
    expect(reader.state).toBe('ended');
  });

  it('of a reader that takes nothing keeps one batch, is dropped after 30 seconds, and delays nobody', async () => {
    const slow = await open();
    slow.takesMore = false;
    const other = await open();
    await addSome(1_000);
    const all = (await world.row(stackId)).event_count;
    await until(() => other.events.length === all);
    expect(slow.events.length).toBeLessThanOrEqual(101);
    for (let second = 0; second < 30; second += 5) {
      expect(slow.state).toBe('open');
      const { heartbeats } = other;
      world.clock.advance(5_000);
      await until(() => other.heartbeats > heartbeats);
    }
    expect(slow.state).toBe('dropped');
    expect(other.state).toBe('open');
  });

  it('of a reader that takes events again continues where it stopped', async () => {
    const reader = await open();
    await until(() => reader.events.length > 0);
    reader.takesMore = false;
    await addSome(300);
    await until(() => reader.events.length > 50);
    reader.takesMore = true;
    reader.stream.resume();
    const all = (await world.row(stackId)).event_count;
    await until(() => reader.events.length === all);
    expect(reader.events).toEqual(numbersTo(all));
  });

  it('stays open while the reports of an agent arrive, and gets each of them', async () => {
    const reader = await open();
    const { event_count: known } = await world.row(stackId);
    for (const status of ['starting', 'running', 'error'])
      await reportAgentStatus(world.service, world.actor, { stackId, agentId: 'a1', status });
    await until(() => reader.events.length === known + 3);
    expect(reader.state).toBe('open');
  });
});
