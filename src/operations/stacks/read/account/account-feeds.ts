import { Failure } from '../../../../basics/failure.ts';
import { accountOfStack } from '../../../../model/names.ts';
import type { Actor } from '../../../access/access.ts';
import type { Service } from '../../../service.ts';
import { rightsOf } from '../change-cursor.ts';
import { heartbeatMs, maxStreamMs, type OpenStream } from '../event-feed.ts';
import type { Follower } from '../stack-feed.ts';
import { AccountFeed, type AccountStream } from './account-feed.ts';
import type { StackChange } from './known-stacks.ts';

/** Changes within this time are read together. */
const gatherMs = 50;
/** So many accounts are visited at once: a slow one must not delay the heartbeats of all others. */
const visitedAtOnce = 8;

export interface NewAccountStream {
  actor: Actor;
  after: number | null;
  follower: Follower<StackChange>;
  /** Called once, however the stream ends. */
  onClose: () => void;
}

/** All streams of stacks of this server: one reader per account, however many streams there are. */
export class AccountFeeds {
  readonly #service: Service;
  readonly #feeds = new Map<string, AccountFeed>();
  readonly #onClose = new Map<AccountStream, () => void>();
  readonly #gathering = new Map<string, () => void>();
  #unsubscribe = () => {};
  #cancelRound = () => {};

  constructor(service: Service) {
    this.#service = service;
    service.stopping.addEventListener('abort', () => this.#endAll());
  }

  open({ actor, after, follower, onClose }: NewAccountStream): OpenStream {
    const { accountId } = actor;
    const stream: AccountStream = {
      actor,
      rights: rightsOf(actor),
      follower,
      after,
      endsAt: this.#service.clock.now() + maxStreamMs,
      isStarted: false,
      due: new Set(),
      hidden: new Set(),
      pausedAt: null,
    };
    if (this.#feeds.size === 0) this.#start();
    const feed = this.#feedOf(accountId);
    feed.streams.add(stream);
    this.#onClose.set(stream, onClose);
    if (this.#service.stopping.aborted) feed.end(stream);
    else this.#deliver(feed);
    return { resume: () => this.#resume(feed, stream), close: () => this.#forget(accountId, stream) };
  }

  #feedOf(accountId: string): AccountFeed {
    const feed =
      this.#feeds.get(accountId) ??
      new AccountFeed(this.#service, accountId, (stream) => this.#forget(accountId, stream));
    this.#feeds.set(accountId, feed);
    return feed;
  }

  #start(): void {
    const { database } = this.#service;
    const notice = (stackId: string) => this.#gather(accountOfStack(stackId));
    const stops = [database.listen('stack-event', notice), database.listen('stack-due', notice)];
    this.#unsubscribe = () => stops.forEach((stop) => stop());
    this.#scheduleRound();
  }

  #gather(accountId: string): void {
    const feed = this.#feeds.get(accountId);
    if (!feed || this.#gathering.has(accountId)) return;
    const cancel = this.#service.clock.after(gatherMs, () => {
      this.#gathering.delete(accountId);
      this.#deliver(feed);
    });
    this.#gathering.set(accountId, cancel);
  }

  #resume(feed: AccountFeed, stream: AccountStream): void {
    if (stream.pausedAt === null || !feed.streams.has(stream)) return;
    stream.pausedAt = null;
    if (stream.due.size > 0) this.#deliver(feed);
  }

  #forget(accountId: string, stream: AccountStream): void {
    const feed = this.#feeds.get(accountId);
    if (!feed?.streams.delete(stream)) return;
    this.#onClose.get(stream)?.();
    this.#onClose.delete(stream);
    if (feed.streams.size > 0) return;
    this.#feeds.delete(accountId);
    this.#gathering.get(accountId)?.();
    this.#gathering.delete(accountId);
    if (this.#feeds.size > 0) return;
    this.#unsubscribe();
    this.#cancelRound();
  }

  #deliver(feed: AccountFeed): void {
    feed.deliver().catch((error: unknown) => this.#dropAfter(error, feed));
  }

  /** During an outage of the database streams stay open: the next round continues. */
  #dropAfter(error: unknown, feed: AccountFeed): void {
    if (error instanceof Failure && error.kind === 'unavailable') return;
    const cause = error instanceof Error ? error : new Error(String(error));
    for (const stream of feed.streams) feed.drop(stream, cause);
  }

  #scheduleRound(): void {
    this.#cancelRound(); // the last stream may have closed and another opened during a round
    this.#cancelRound = this.#service.clock.after(heartbeatMs, () => void this.#runRound());
  }

  async #runRound(): Promise<void> {
    const feeds = this.#feeds.values();
    const visitNext = async (): Promise<void> => {
      for (const feed of feeds) await feed.visitAll().catch((error: unknown) => this.#dropAfter(error, feed));
    };
    await Promise.all(Array.from({ length: visitedAtOnce }, visitNext));
    if (this.#feeds.size > 0) this.#scheduleRound();
  }

  #endAll(): void {
    for (const feed of this.#feeds.values()) for (const stream of feed.streams) feed.end(stream);
  }
}
