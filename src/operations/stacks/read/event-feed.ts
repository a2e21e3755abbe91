import { nextTurn } from '../../../basics/clock.ts';
import { Failure } from '../../../basics/failure.ts';
import {
  type FollowedStack,
  isDueTooLate,
  listFollowedStacks,
  observeWatched,
} from '../../../store/stacks/followed-stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { FollowAccess } from './follow-access.ts';
import { type Follower, StackFeed, type Stream, streamsPerTurn } from './stack-feed.ts';

/** A notification may be missed: look at least this often, and keep the connections alive. */
export const heartbeatMs = 5_000;
/** After this time the client reconnects, with a valid token, and resumes. */
export const maxStreamMs = 15 * 60_000;
/** A reader that takes nothing for this long is disconnected. */
const maxPauseMs = 30_000;

export interface NewStream {
  stackId: string;
  after: number;
  actor: Actor;
  follower: Follower;
  /** Called once, however the stream ends. */
  onClose: () => void;
}

export interface OpenStream {
  /** The follower takes events again. */
  resume(): void;
  /** The follower left. */
  close(): void;
}

/** All event streams of this server: one subscription to notifications, one timer, one reader per stack. */
export class EventFeed {
  readonly #service: Service;
  readonly #feeds = new Map<string, StackFeed>();
  readonly #onClose = new Map<Stream, () => void>();
  #unsubscribe = () => {};
  #cancelRound = () => {};

  constructor(service: Service) {
    this.#service = service;
    service.stopping.addEventListener('abort', () => this.#endAll());
  }

  open({ stackId, after, actor, follower, onClose }: NewStream): OpenStream {
    const stream: Stream = {
      actor,
      follower,
      endsAt: this.#service.clock.now() + maxStreamMs,
      after,
      pausedAt: null,
    };
    if (this.#feeds.size === 0) this.#start();
    const feed = this.#feedOf(stackId);
    feed.streams.add(stream);
    this.#onClose.set(stream, onClose);
    if (this.#service.stopping.aborted) feed.end(stream);
    else this.#deliver(feed);
    return { resume: () => this.#resume(feed, stream), close: () => this.#forget(stackId, stream) };
  }

  #feedOf(stackId: string): StackFeed {
    const feed =
      this.#feeds.get(stackId) ??
      new StackFeed(this.#service, stackId, (stream) => this.#forget(stackId, stream));
    this.#feeds.set(stackId, feed);
    return feed;
  }

  #start(): void {
    this.#unsubscribe = this.#service.database.listen('stack-event', (id) => {
      const feed = this.#feeds.get(id);
      if (feed) this.#deliver(feed);
    });
    this.#scheduleRound();
  }

  #resume(feed: StackFeed, stream: Stream): void {
    if (stream.pausedAt === null || !feed.streams.has(stream)) return;
    stream.pausedAt = null;
    this.#deliver(feed);
  }

  #forget(stackId: string, stream: Stream): void {
    const feed = this.#feeds.get(stackId);
    if (!feed?.streams.delete(stream)) return;
    this.#onClose.get(stream)?.();
    this.#onClose.delete(stream);
    if (feed.streams.size === 0) this.#feeds.delete(stackId);
    if (this.#feeds.size > 0) return;
    this.#unsubscribe();
    this.#cancelRound();
  }

  #deliver(feed: StackFeed): void {
    feed.deliver().catch((error: unknown) => this.#dropAfter(error, [feed]));
  }

  /** During an outage of the database streams stay open: the next round continues. */
  #dropAfter(error: unknown, feeds: Iterable<StackFeed>): void {
    if (error instanceof Failure && error.kind === 'unavailable') return;
    const cause = error instanceof Error ? error : new Error(String(error));
    for (const feed of feeds) for (const stream of feed.streams) feed.drop(stream, cause);
  }

  #scheduleRound(): void {
    this.#cancelRound(); // the last stream may have closed and another opened during a round
    this.#cancelRound = this.#service.clock.after(heartbeatMs, () => void this.#runRound());
  }

  async #runRound(): Promise<void> {
    await this.#visitAll().catch((error: unknown) => this.#dropAfter(error, this.#feeds.values()));
    if (this.#feeds.size > 0) this.#scheduleRound();
  }

  /** Visits every stream: ends those that may not continue, sends heartbeats to the others. */
  async #visitAll(): Promise<void> {
    const { database } = this.#service;
    // A stream that opens during the query is visited in the next round: its stack is not among the results.
    const feeds = [...this.#feeds];
    const ids = feeds.map(([stackId]) => stackId);
    const stacks = await listFollowedStacks(database.query, ids);
    await this.#observeFollowed([...stacks.values()]);
    const access = new FollowAccess(this.#service);
    let visited = 0;
    for (const [stackId, feed] of feeds) {
      const stack = stacks.get(stackId);
      for (const stream of feed.streams) {
        visited += 1;
        if (visited % streamsPerTurn === 0) await nextTurn();
        const mayFollow = stack !== undefined && (await access.allows(stream.actor, stack));
        if (feed.streams.has(stream)) this.#visit(feed, stream, mayFollow);
      }
      if (stack && feed.isBehind(stack.event_count)) this.#deliver(feed);
    }
  }

  /** Who follows a stack wants to see soon what happens to it outside Almanac. */
  async #observeFollowed(stacks: readonly FollowedStack[]): Promise<void> {
    const { database, clock } = this.#service;
    const late = stacks.filter((stack) => isDueTooLate(stack, clock.now()));
    const ids = late.map(({ id }) => id);
    if (ids.length > 0) await observeWatched(database.query, ids, clock.now());
  }

  #visit(feed: StackFeed, stream: Stream, mayFollow: boolean): void {
    const now = this.#service.clock.now();
    const { pausedAt } = stream;
    const isOver = !mayFollow || now >= stream.endsAt;
    if (pausedAt !== null) {
      // An ordered end would wait behind what it does not read.
      if (isOver || now - pausedAt >= maxPauseMs) feed.drop(stream);
    } else if (isOver) feed.end(stream);
    else stream.follower.heartbeat();
  }

  #endAll(): void {
    for (const feed of this.#feeds.values()) for (const stream of feed.streams) feed.end(stream);
  }
}
