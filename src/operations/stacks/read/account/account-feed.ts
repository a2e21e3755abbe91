import { nextTurn } from '../../../../basics/clock.ts';
import type { Actor } from '../../../access/access.ts';
import { decideAtAll, mayList } from '../../../access/permission.ts';
import type { Service } from '../../../service.ts';
import { cursorAt, rightsOf } from '../change-cursor.ts';
import { FollowAccess } from '../follow-access.ts';
import { type Follower, streamsPerTurn } from '../stack-feed.ts';
import { KnownStacks, type NewState, type StackChange } from './known-stacks.ts';

/** A reader that takes nothing for this long is disconnected. */
const maxPauseMs = 30_000;

/** One open stream of an account's stacks. */
export interface AccountStream {
  actor: Actor;
  /** Those of the actor. */
  rights: string;
  readonly follower: Follower<StackChange>;
  readonly endsAt: number;
  /** Begins with what changed since this moment; null: with all stacks. */
  readonly after: number | null;
  isStarted: boolean;
  /** Ids of stacks to send. A slow reader gets the last state of each, not all that lie between. */
  readonly due: Set<string>;
  /** Ids of stacks that a role or a change of theirs hid since they were sent. */
  readonly hidden: Set<string>;
  /** Since when the follower takes no more; null: it does. */
  pausedAt: number | null;
}

/** The open streams of one account, with one reader for all of them. */
export class AccountFeed {
  readonly streams = new Set<AccountStream>();
  readonly #service: Service;
  readonly #known: KnownStacks;
  readonly #close: (stream: AccountStream) => void;
  #isDue = false;
  #isReading = false;

  /** `close` forgets a stream that ends. */
  constructor(service: Service, accountId: string, close: (stream: AccountStream) => void) {
    this.#service = service;
    this.#known = new KnownStacks(service, accountId);
    this.#close = close;
  }

  end(stream: AccountStream): void {
    // An ordered end would wait behind what a paused reader does not read.
    if (stream.pausedAt !== null) return this.drop(stream);
    this.#close(stream);
    stream.follower.end();
  }

  drop(stream: AccountStream, error?: Error): void {
    this.#close(stream);
    stream.follower.drop(error);
  }

  /** Reads and hands out changes. Calls during a read become one more read. Throws if reading fails. */
  async deliver(): Promise<void> {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isDue) {
        this.#isDue = false;
        await this.#readOnce();
        await this.#visit((stream) => !stream.isStarted || stream.due.size > 0);
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Checks every stream: ends those that may not continue, sends a heartbeat to the others. */
  async visitAll(): Promise<void> {
    await this.deliver();
    await this.#visit(() => true);
    for (const stream of this.streams) this.#keepAlive(stream);
  }

  async #readOnce(): Promise<void> {
    const changed = await this.#known.refresh();
    for (const stream of this.streams)
      if (stream.isStarted) for (const state of changed) this.#note(stream, state);
  }

  #note(stream: AccountStream, { stack, placedBefore }: NewState): void {
    stream.due.add(stack.id);
    if (placedBefore)
      this.#hideOrShow(stream, stack.id, [mayList(stream.actor, placedBefore), mayList(stream.actor, stack)]);
  }

  #hideOrShow(stream: AccountStream, id: string, [was, is]: [was: boolean, is: boolean]): void {
    if (was === is) return;
    stream.due.add(id);
    if (was) stream.hidden.add(id);
    else stream.hidden.delete(id);
  }

  async #visit(isConcerned: (stream: AccountStream) => boolean): Promise<void> {
    const access = new FollowAccess(this.#service);
    let visited = 0;
    for (const stream of this.streams) {
      if (!isConcerned(stream)) continue;
      visited += 1;
      if (visited % streamsPerTurn === 0) await nextTurn();
      const actor = await access.currentActor(stream.actor);
      if (!this.streams.has(stream)) continue; // it was closed during the check
      if (actor === null) this.end(stream);
      else this.#serve(stream, actor);
    }
  }

  #serve(stream: AccountStream, actor: Actor): void {
    const isNew = !stream.isStarted;
    if (isNew) this.#begin(stream);
    this.#adapt(stream, actor);
    // A new stream of no stacks says at once that it is alive, too.
    if (stream.pausedAt === null && (isNew || stream.due.size > 0)) this.#send(stream);
    if (!decideAtAll(actor, 'stack:describeStacks').allowed) this.end(stream);
  }

  #begin(stream: AccountStream): void {
    stream.isStarted = true;
    for (const id of this.#known.changedSince(stream.after)) stream.due.add(id);
  }

  /** After a change of roles, what they show or hide is sent. */
  #adapt(stream: AccountStream, actor: Actor): void {
    const before = stream.actor;
    if (before === actor) return;
    const rights = rightsOf(actor);
    if (stream.rights === rights) return;
    Object.assign(stream, { actor, rights });
    for (const { stack } of this.#known.all)
      this.#hideOrShow(stream, stack.id, [mayList(before, stack), mayList(actor, stack)]);
  }

  #send(stream: AccountStream): void {
    const changes = [...stream.due].flatMap((id) => this.#changeFor(stream, id));
    stream.due.clear();
    stream.hidden.clear();
    const alive: StackChange = { kind: 'alive', cursor: cursorAt(this.#known.readAt, stream.rights) };
    if (!stream.follower.take([...changes, alive])) stream.pausedAt = this.#service.clock.now();
  }

  #changeFor(stream: AccountStream, id: string): StackChange[] {
    if (stream.hidden.has(id)) return [{ kind: 'deleted', stackId: id }];
    const known = this.#known.find(id);
    return known && mayList(stream.actor, known.stack) ? [known.change] : [];
  }

  #keepAlive(stream: AccountStream): void {
    const now = this.#service.clock.now();
    if (now >= stream.endsAt) this.end(stream);
    else if (stream.pausedAt === null) this.#send(stream);
    else if (now - stream.pausedAt >= maxPauseMs) this.drop(stream);
  }
}
