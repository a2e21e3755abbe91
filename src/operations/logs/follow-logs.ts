import { Failure } from '../../basics/failure.ts';
import type { LogFilter } from '../../basics/text/log-line.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { maxStreamMs, type OpenStream } from '../stacks/read/event-feed.ts';
import { FollowAccess } from '../stacks/read/follow-access.ts';
import { streamsOf } from '../stacks/read/open-streams.ts';
import type { Follower } from '../stacks/read/stack-feed.ts';
import { logDeskOf, renewMs } from './desk.ts';
import { findLogStack, type LogPlace } from './find-log-stack.ts';
import { Inquiry, isOutage } from './inquiry.ts';
import { type LogNews, LogQueue } from './log-queue.ts';
import type { LogTarget } from './targets.ts';

export interface LogSubscription extends LogPlace {
  filter: Omit<LogFilter, 'follow'>;
  follower: Follower<LogNews>;
}

interface StreamOptions {
  place: LogPlace;
  actor: Actor;
  inquiry: Inquiry;
  queue: LogQueue;
  onClose: () => void;
}

/** One open stream of logs, on the server of its caller. */
class LogStream implements OpenStream {
  readonly #service: Service;
  readonly #options: StreamOptions;
  readonly #endsAt: number;
  readonly #stop = () => this.#end();
  #nextRenewal = 0;
  #cancelRound = () => {};
  #isClosed = false;

  constructor(service: Service, options: StreamOptions) {
    this.#service = service;
    this.#options = options;
    this.#endsAt = service.clock.now() + maxStreamMs;
    service.stopping.addEventListener('abort', this.#stop);
  }

  async start(targets: readonly LogTarget[]): Promise<void> {
    const { inquiry } = this.#options;
    this.#nextRenewal = this.#service.clock.now() + renewMs;
    await inquiry.ask(targets);
    await inquiry.round();
    if (this.#service.stopping.aborted) this.#end();
    else this.#scheduleRound();
  }

  resume(): void {
    this.#options.queue.resume();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelRound();
    this.#service.stopping.removeEventListener('abort', this.#stop);
    this.#options.inquiry.close();
    this.#options.onClose();
  }

  #end(): void {
    const { queue } = this.#options;
    this.close();
    queue.end();
  }

  #scheduleRound(): void {
    if (this.#isClosed) return;
    const { inquiry } = this.#options;
    this.#cancelRound = this.#service.clock.after(inquiry.pauseMs, () => {
      this.#round()
        .catch((error: unknown) => this.#fail(error))
        .finally(() => this.#scheduleRound());
    });
  }

  #fail(error: unknown): void {
    if (isOutage(error) || this.#isClosed) return;
    this.#drop(error instanceof Error ? error : new Error(String(error)));
  }

  #drop(error?: Error): void {
    this.close();
    this.#options.queue.drop(error);
  }

  async #round(): Promise<void> {
    const { inquiry, queue } = this.#options;
    const now = this.#service.clock.now();
    if (now >= this.#nextRenewal) {
      this.#nextRenewal = now + renewMs;
      const targets = await this.#currentTargets();
      if (this.#isClosed) return;
      if (targets === null || now >= this.#endsAt) return this.#end();
      if (queue.isStuck(now)) return this.#drop();
      await inquiry.ask(targets);
      queue.heartbeat();
    }
    if (!this.#isClosed) await inquiry.round();
  }

  /** The instances as they are now; null: the caller may not read the logs any more, or the stack is deleted. */
  async #currentTargets(): Promise<LogTarget[] | null> {
    const { actor, place } = this.#options;
    const now = await new FollowAccess(this.#service).currentActor(actor);
    if (now === null) return null;
    try {
      const instances = { ...place.instances, mayBeNone: true };
      return (await findLogStack(this.#service, now, { ...place, instances })).targets;
    } catch (error) {
      if (error instanceof Failure && (error.kind === 'not_found' || error.kind === 'forbidden')) return null;
      throw error;
    }
  }
}

/**
 * Streams the logs of a stack: the last lines, then new ones. Ends when the stack is deleted, when the actor may no longer read
 * them, when the follower closes it, and after some time, so that the token is checked again.
 */
export async function followLogs(
  service: Service,
  actor: Actor,
  { filter, follower, ...place }: LogSubscription,
): Promise<OpenStream> {
  const { targets, ...source } = await findLogStack(service, actor, place);
  logDeskOf(service).requireRoom(place.stackId);
  const onClose = await streamsOf(service).slots.take(actor);
  const queue = new LogQueue(service.clock, follower);
  const inquiry = new Inquiry(service, { ...source, filter: { ...filter, follow: true }, receiver: queue });
  const stream = new LogStream(service, { place, actor, inquiry, queue, onClose });
  await stream.start(targets).catch((error: unknown) => {
    stream.close();
    throw error;
  });
  return stream;
}
