import type { Clock } from '../../basics/clock.ts';
import type { Follower } from '../stacks/read/stack-feed.ts';
import type { LogReceiver, ShownLine } from './inquiry.ts';
import type { InstanceLogs } from './instance-answers.ts';

/** What a follower of logs takes. */
export type LogNews =
  | { kind: 'line'; line: ShownLine }
  | { kind: 'instance'; logs: InstanceLogs }
  /** Lines are missing here; `count` is null if their number is unknown. */
  | { kind: 'gap'; instanceId: string; count: number | null; why: 'agent' | 'reader' };

/** Lines that wait for a slow reader. Older ones are left out. */
const maxWaiting = 2_000;
/** A reader that takes nothing for this long is disconnected. */
const maxPauseMs = 30_000;

/** Hands news to a follower, and keeps a limited number of them while it takes none. */
export class LogQueue implements LogReceiver {
  readonly #clock: Clock;
  readonly #follower: Follower<LogNews>;
  #waiting: LogNews[] = [];
  #pausedAt: number | null = null;
  #leftOut = 0;

  constructor(clock: Clock, follower: Follower<LogNews>) {
    this.#clock = clock;
    this.#follower = follower;
  }

  lines(lines: readonly ShownLine[]): void {
    this.#put(lines.map((line) => ({ kind: 'line', line })));
  }

  instance(logs: InstanceLogs): void {
    this.#put([{ kind: 'instance', logs }]);
  }

  leftOut(instanceId: string, count: number | null): void {
    this.#put([{ kind: 'gap', instanceId, count, why: 'agent' }]);
  }

  resume(): void {
    this.#pausedAt = null;
    const { length } = this.#waiting;
    if (this.#leftOut > 0)
      this.#waiting.unshift({ kind: 'gap', instanceId: '', count: this.#leftOut, why: 'reader' });
    this.#leftOut = 0;
    if (length > 0) this.#hand(this.#waiting.splice(0));
  }

  heartbeat(): void {
    if (this.#pausedAt === null) this.#follower.heartbeat();
  }

  isStuck(now: number): boolean {
    return this.#pausedAt !== null && now - this.#pausedAt >= maxPauseMs;
  }

  /** An ordered end would wait behind what a paused reader does not take. */
  end(): void {
    if (this.#pausedAt === null) this.#follower.end();
    else this.#follower.drop();
  }

  drop(error?: Error): void {
    this.#follower.drop(error);
  }

  #put(news: readonly LogNews[]): void {
    if (this.#pausedAt === null) return this.#hand(news);
    this.#waiting.push(...news);
    const excess = this.#waiting.length - maxWaiting;
    if (excess <= 0) return;
    // States stay: a reader must not take an instance for one that sends.
    let toDrop = excess;
    this.#waiting = this.#waiting.filter(({ kind }) => kind === 'instance' || toDrop-- <= 0);
    this.#leftOut += excess;
  }

  #hand(news: readonly LogNews[]): void {
    if (!this.#follower.take(news)) this.#pausedAt = this.#clock.now();
  }
}
