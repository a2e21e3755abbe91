import type { Database, Query } from '../../store/database/database.ts';
import { countAgentEvents } from '../../store/stacks/agent-events.ts';

/** What was counted, and the number of the stack's last event at that time. */
interface Counted {
  count: number;
  last: number;
  at: number;
}

interface Count {
  stackId: string;
  /** The number of the stack's last event, read in the same transaction. */
  last: number;
  now: number;
}

const maxStacks = 10_000;

/**
 * Counts the events of the agents of stacks within a time, but only when there may be too many of them: every event has a number,
 * so there are at most so many more as the number has grown, whichever server added them. Counting takes longer the more there are.
 */
export class CountedEvents {
  readonly #withinMs: number;
  readonly #known = new WeakMap<Database, Map<string, Counted>>();

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** The number of events if it is more than `limit`, else any number up to it. */
  async moreThan(
    limit: number,
    { database, query }: { database: Database; query: Query },
    { stackId, last, now }: Count,
  ): Promise<number> {
    const known = this.#of(database);
    const before = known.get(stackId);
    if (before && before.last <= last && before.at <= now) {
      const most = before.count + last - before.last;
      if (most <= limit) return most;
    }
    const count = await countAgentEvents(query, stackId, Math.max(0, now - this.#withinMs + 1));
    if (known.size >= maxStacks) known.clear();
    known.set(stackId, { count, last, at: now });
    return count;
  }

  #of(database: Database): Map<string, Counted> {
    const known = this.#known.get(database) ?? new Map<string, Counted>();
    this.#known.set(database, known);
    return known;
  }
}
