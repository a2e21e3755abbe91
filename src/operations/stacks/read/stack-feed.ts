import { nextTurn } from '../../../basics/clock.ts';
import { isDeleted, type StackStatus } from '../../../model/status.ts';
import { type EventRow, listEvents } from '../../../store/stacks/events.ts';
import { listFollowedStacks } from '../../../store/stacks/followed-stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { FollowAccess } from './follow-access.ts';

/** Also the most that waits in memory for one slow reader. */
const eventsPerRead = 100;
/** Streams served before other requests get their turn. */
export const streamsPerTurn = 50;

/** The receiving end of one stream. */
export interface Follower<Item = EventRow> {
  /** Returns false if it takes no more until it asks to resume. */
  take(items: readonly Item[]): boolean;
  heartbeat(): void;
  /** Nothing follows. What it took is still delivered. */
  end(): void;
  /** Disconnects at once. The client resumes after the last event that it received. */
  drop(error?: Error): void;
}

/** One open stream. */
export interface Stream {
  readonly actor: Actor;
  readonly follower: Follower;
  readonly endsAt: number;
  /** Number of the last event taken. */
  after: number;
  /** Since when the follower takes no more; null: it does. */
  pausedAt: number | null;
}

const isLast = (event: EventRow): boolean =>
  event.kind === 'status' && isDeleted(event.status as StackStatus);

const isReady = ({ pausedAt }: Stream): boolean => pausedAt === null;

/** The open streams of one stack, with one reader for all of them. */
export class StackFeed {
  readonly streams = new Set<Stream>();
  readonly #service: Service;
  readonly #stackId: string;
  readonly #close: (stream: Stream) => void;
  #isDue = false;
  #isReading = false;

  /** `close` forgets a stream that ends. */
  constructor(service: Service, stackId: string, close: (stream: Stream) => void) {
    this.#service = service;
    this.#stackId = stackId;
    this.#close = close;
  }

  isBehind(eventCount: number): boolean {
    for (const stream of this.streams) if (isReady(stream) && stream.after < eventCount) return true;
    return false;
  }

  end(stream: Stream): void {
    this.#close(stream);
    stream.follower.end();
  }

  drop(stream: Stream, error?: Error): void {
    this.#close(stream);
    stream.follower.drop(error);
  }

  /** Reads and hands out new events. Calls during a read become one more read. Throws if reading fails. */
  async deliver(): Promise<void> {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isDue) {
        this.#isDue = false;
        this.#isDue = (await this.#deliverOnce()) || this.#isDue;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Streams at the same place share a read; one far behind does not hold up the others. Returns whether there is more. */
  async #deliverOnce(): Promise<boolean> {
    let waiting = [...this.streams].filter(isReady).toSorted((one, other) => one.after - other.after);
    let isMore = false;
    for (let [first] = waiting; first; [first] = waiting) {
      const page = { after: first.after, limit: eventsPerRead };
      const events = await listEvents(this.#service.database.query, this.#stackId, page);
      const last = events.at(-1)?.number ?? first.after;
      await this.#handOut(
        waiting.filter(({ after }) => after < last),
        events,
      );
      if (events.length < eventsPerRead) return isMore;
      isMore = true;
      waiting = waiting.filter(({ after }) => after > last);
    }
    return isMore;
  }

  async #handOut(streams: readonly Stream[], events: readonly EventRow[]): Promise<void> {
    if (streams.length === 0) return;
    const stacks = await listFollowedStacks(this.#service.database.query, [this.#stackId]);
    const stack = stacks.get(this.#stackId);
    const access = new FollowAccess(this.#service);
    for (const [index, stream] of streams.entries()) {
      if (index % streamsPerTurn === streamsPerTurn - 1) await nextTurn();
      const mayFollow = stack !== undefined && (await access.allows(stream.actor, stack));
      if (!this.streams.has(stream)) continue; // it was closed during the check
      if (mayFollow) this.#handTo(stream, events);
      else this.end(stream);
    }
  }

  #handTo(stream: Stream, events: readonly EventRow[]): void {
    const fresh = events.filter(({ number }) => number > stream.after);
    stream.after = fresh.at(-1)?.number ?? stream.after;
    if (!stream.follower.take(fresh)) stream.pausedAt = this.#service.clock.now();
    if (fresh.some(isLast)) this.end(stream);
  }
}
