import { Failure } from '../../basics/failure.ts';
import { randomHex } from '../../basics/random.ts';
import {
  type LogFilter,
  type LogLine,
  logTime,
  matchesFilter,
  maxLines,
} from '../../basics/text/log-line.ts';
import { type Driver, type StackOnVendor, Unreachable } from '../../vendors/vendor.ts';
import type { Service } from '../service.ts';
import { logDeskOf, renewMs } from './desk.ts';
import { InstanceAnswers, type InstanceLogs } from './instance-answers.ts';
import type { LogPart } from './notices.ts';
import type { LogTarget } from './targets.ts';

/** A line with the instance it comes from. */
export interface ShownLine extends LogLine {
  instanceId: string;
  flag: string;
}

/** What an inquiry found out. */
export interface LogReceiver {
  lines(lines: readonly ShownLine[]): void;
  instance(logs: InstanceLogs): void;
  /** `count` is null if it is unknown. */
  leftOut(instanceId: string, count: number | null): void;
}

export interface InquiryOptions {
  stack: StackOnVendor;
  filter: LogFilter;
  /** Reads logs that the vendor has. */
  driver: Pick<Driver, 'readLogs'>;
  receiver: LogReceiver;
}

const shownFrom = (line: LogLine, place: Pick<ShownLine, 'instanceId' | 'flag'>): ShownLine => ({
  ...line,
  ...place,
});

const keyOf = (instanceId: string, { source, container }: LogLine): string =>
  `${instanceId} ${source} ${container}`;

/** How often logs of the vendor are read while someone follows them. */
const vendorPollMs = 1_000;

/** One open request for logs: asks the agents through all servers, and the vendor. */
export class Inquiry {
  readonly #service: Service;
  readonly #options: InquiryOptions;
  readonly #id = randomHex(32);
  readonly #answers: InstanceAnswers;
  readonly #stopReceiving: () => void;
  readonly #vendorSince = new Map<string, string>();
  /** By instance and container: the time of the last line. */
  readonly #lastTimes = new Map<string, string>();
  readonly #resumedAt = new Map<string, string>();
  #targets: readonly LogTarget[] = [];

  constructor(service: Service, options: InquiryOptions) {
    this.#service = service;
    this.#options = options;
    this.#answers = new InstanceAnswers(service.clock, (logs) => options.receiver.instance(logs));
    this.#stopReceiving = logDeskOf(service).receive(this.#id, (part) => this.#take(part));
  }

  /** All instances have sent what was asked for, or will not. */
  get isComplete(): boolean {
    return this.#answers.areComplete;
  }

  /** How long until the next `round`. */
  get pauseMs(): number {
    return this.#options.filter.follow && this.#ofKind('vendor').length > 0 ? vendorPollMs : renewMs;
  }

  /** Asks these instances from now on. Also repeats the announcement. */
  async ask(targets: readonly LogTarget[]): Promise<void> {
    this.#targets = targets;
    this.#answers.expect(targets);
    const instances = this.#ofKind('agent').map(({ instanceId }) => instanceId);
    const { stack, filter } = this.#options;
    if (instances.length > 0)
      await logDeskOf(this.#service).announce({ ...filter, id: this.#id, stackId: stack.id, instances });
  }

  /** Reads what the vendor has, and notes who has been silent for too long. */
  async round(): Promise<void> {
    for (const target of this.#ofKind('vendor')) await this.#readVendor(target);
    this.#answers.noteSilence();
  }

  close(): void {
    this.#stopReceiving();
    if (this.#ofKind('agent').length > 0) void logDeskOf(this.#service).withdraw(this.#id);
  }

  #ofKind(by: LogTarget['by']): LogTarget[] {
    return this.#targets.filter((target) => target.by === by);
  }

  #take(part: LogPart): void {
    const { stack, receiver } = this.#options;
    const target = this.#ofKind('agent').find(({ instanceId }) => instanceId === part.instanceId);
    const place = part.stackId === stack.id && target ? this.#answers.place(part) : 'repeated';
    if (!target || place === 'repeated') return;
    if (place === 'resumed') this.#resume(target);
    if (part.leftOut > 0) receiver.leftOut(target.instanceId, part.leftOut);
    this.#show(target, this.#newOnes(target, part.lines));
    this.#answers.update(target, part);
  }

  async #readVendor(target: LogTarget): Promise<void> {
    const { stack, filter, driver } = this.#options;
    const { instanceId } = target;
    const before = this.#vendorSince.get(instanceId);
    const since = before ?? filter.since;
    try {
      const request = { instanceId, lines: before === undefined ? filter.lines : maxLines, since };
      const lines = (await driver.readLogs?.(stack, request)) ?? [];
      this.#vendorSince.set(instanceId, lines.at(-1)?.time ?? since ?? logTime(this.#service.clock.now()));
      this.#show(target, lines);
      this.#answers.settle(target, filter.follow ? 'sending' : 'complete');
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#answers.settle(target, 'failed', `The vendor cannot be reached: ${error.message}`);
    }
  }

  #newOnes({ instanceId }: LogTarget, lines: readonly LogLine[]): LogLine[] {
    return lines.filter((line) => line.time > (this.#resumedAt.get(keyOf(instanceId, line)) ?? ''));
  }

  /** What follows may repeat lines that were shown. */
  #resume({ instanceId }: LogTarget): void {
    this.#options.receiver.leftOut(instanceId, null);
    for (const [key, time] of this.#lastTimes)
      if (key.startsWith(`${instanceId} `)) this.#resumedAt.set(key, time);
  }

  #show({ instanceId, flag }: LogTarget, lines: readonly LogLine[]): void {
    const { filter, receiver } = this.#options;
    const shown = lines
      .filter((line) => matchesFilter(filter, line))
      .map((line) => shownFrom(line, { instanceId, flag }));
    for (const line of shown) this.#lastTimes.set(keyOf(instanceId, line), line.time);
    if (shown.length > 0) receiver.lines(shown);
  }
}

/** During an outage of the database an inquiry stays open: the next round continues. */
export const isOutage = (error: unknown): boolean => error instanceof Failure && error.kind === 'unavailable';
