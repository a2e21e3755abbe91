import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signingKeyOf } from '../../../src/operations/audit/checkpoint-key.ts';
import { deleteOldHistory } from '../../../src/operations/retention/retention.ts';
import { readResources } from '../../../src/operations/stacks/read/read-resources.ts';
import { listEvents } from '../../../src/store/stacks/events.ts';
import { oneServer, World } from '../../world.ts';

const dayMs = 86_400_000;

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const eventsOf = (stackId: string) => listEvents(world.database.query, stackId, { after: 0, limit: 10_000 });
const tools = () => ({ ...world.service, signingKey: () => signingKeyOf(Buffer.alloc(32, 7)) });
const keepDays = (eventsDays: number) => deleteOldHistory(tools(), { eventsDays, auditDays: 0 });

/** A stack that was created, and changed three times, each a day later. */
async function withHistory(): Promise<string> {
  const stackId = await world.create();
  await world.settle();
  for (const count of [2, 3, 4]) {
    world.clock.advance(dayMs);
    await world.update(stackId, oneServer(count));
    await world.settle();
  }
  return stackId;
}

describe('events that are older than the operator keeps them', () => {
  it('are deleted, and what is read from events is as before: resources, the last operation and its numbers', async () => {
    const stackId = await withHistory();
    const reference = { stackId, language: 'v3' } as const;
    const before = await eventsOf(stackId);
    const { resources } = await readResources(world.service, world.actor, reference);
    world.clock.advance(100 * dayMs);
    const { events } = await keepDays(30);
    const after = await eventsOf(stackId);
    expect(events).toBe(before.length - after.length);
    expect(after.length).toBeLessThan(before.length / 2);
    expect(await readResources(world.service, world.actor, reference)).toMatchObject({ resources });
    const lastRequest = before.findLast(({ kind }) => kind === 'request')?.number ?? 0;
    expect(after.filter(({ number }) => number >= lastRequest)).toEqual(
      before.filter(({ number }) => number >= lastRequest),
    );
    expect(await keepDays(30)).toEqual({ events: 0, entries: 0 });
  });

  it('stay if the operator keeps all, or if they are not old enough', async () => {
    const stackId = await withHistory();
    const before = await eventsOf(stackId);
    world.clock.advance(10 * dayMs);
    expect(await keepDays(0)).toEqual({ events: 0, entries: 0 });
    expect(await keepDays(30)).toEqual({ events: 0, entries: 0 });
    expect(await eventsOf(stackId)).toEqual(before);
  });

  it('do not come back from the vendor, which still lists them, and new ones continue the numbers', async () => {
    const stackId = await withHistory();
    const last = (await eventsOf(stackId)).at(-1)?.number ?? 0;
    world.clock.advance(100 * dayMs);
    await keepDays(30);
    const kept = await eventsOf(stackId);
    await world.update(stackId, oneServer(2));
    await world.settle();
    const after = await eventsOf(stackId);
    expect(after.slice(0, kept.length)).toEqual(kept);
    const numbers = after.slice(kept.length).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => last + 1 + index));
    expect(after.slice(kept.length).every(({ at }) => at >= world.clock.now() - dayMs)).toBe(true);
  });

  it('of a deleted stack are deleted except the last one', async () => {
    const stackId = await withHistory();
    await world.delete(stackId);
    await world.settle();
    world.clock.advance(100 * dayMs);
    await keepDays(30);
    expect(await eventsOf(stackId)).toMatchObject([{ kind: 'status', status: 'DELETE_COMPLETE' }]);
  });
});
