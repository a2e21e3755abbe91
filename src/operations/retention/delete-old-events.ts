import { nextTurn } from '../../basics/clock.ts';
import {
  deleteEvents,
  eventsOfPresentState,
  firstNeeded,
  keepEventsFrom,
  listOldEvents,
  listStacksAfter,
  type StackWithHistory,
  stacksWithOlder,
} from '../../store/retention/old-events.ts';
import type { Service } from '../service.ts';

type Tools = Pick<Service, 'database' | 'stopping'>;

const stacksPerPage = 50;
/** Few enough that a statement delays no request. */
const eventsPerStatement = 500;

/** Of a deleted stack, only its last event is needed. */
async function neededOf({ database }: Tools, { id, deleted_at, event_count }: StackWithHistory) {
  if (deleted_at !== null) return { below: event_count, isNeeded: () => false };
  const present = await eventsOfPresentState(database.query, id);
  return {
    below: await firstNeeded(database.query, id),
    isNeeded: (number: number) => present.has(number),
  };
}

async function deleteEventsOf(tools: Tools, stack: StackWithHistory, before: number): Promise<number> {
  const { query } = tools.database;
  const { below, isNeeded } = await neededOf(tools, stack);
  let deleted = 0;
  let found = [];
  let after = 0;
  do {
    found = await listOldEvents(query, stack.id, { before, below, after, limit: eventsPerStatement });
    after = found.at(-1)?.number ?? after;
    const old = found.filter(({ number }) => !isNeeded(number));
    await nextTurn();
    if (old.length === 0) continue;
    // First, so that the vendor's list does not bring them back whatever happens next.
    await keepEventsFrom(query, stack.id, Math.max(...old.map(({ at }) => at)) + 1);
    await deleteEvents(
      query,
      stack.id,
      old.map(({ number }) => number),
    );
    deleted += old.length;
  } while (found.length === eventsPerStatement && !tools.stopping.aborted);
  return deleted;
}

/** Deletes events from before a time, but none that the present state of a stack is read from. Returns their number. */
export async function deleteOldEvents(tools: Tools, before: number): Promise<number> {
  const { query } = tools.database;
  let deleted = 0;
  for (let after = ''; !tools.stopping.aborted; ) {
    const stacks = await listStacksAfter(query, after, stacksPerPage);
    const last = stacks.at(-1);
    if (!last) break;
    const ids = stacks.map(({ id }) => id);
    const concerned = new Set((await stacksWithOlder(query, ids, before).execute()).map(({ id }) => id));
    for (const stack of stacks)
      if (concerned.has(stack.id)) deleted += await deleteEventsOf(tools, stack, before);
    after = last.id;
    await nextTurn();
  }
  return deleted;
}
