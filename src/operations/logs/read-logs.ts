import { pause } from '../../basics/pause.ts';
import type { LogFilter } from '../../basics/text/log-line.ts';
import type { Actor } from '../access/access.ts';
import type { Service } from '../service.ts';
import { streamsOf } from '../stacks/read/open-streams.ts';
import { logDeskOf } from './desk.ts';
import { findLogStack, type LogPlace } from './find-log-stack.ts';
import { Inquiry, type LogReceiver, type ShownLine } from './inquiry.ts';
import type { InstanceLogs } from './instance-answers.ts';
import type { LogTarget } from './targets.ts';

export interface ReadRequest extends LogPlace {
  filter: Omit<LogFilter, 'follow'>;
}

export interface ReadLogs {
  /** In the order of time. */
  lines: readonly ShownLine[];
  instances: readonly InstanceLogs[];
  /** Older lines that did not fit into the answer, or that agents left out. */
  leftOut: number;
}

/** So many of the newest lines are in one answer. */
const maxShownLines = 5_000;

const byTime = (one: ShownLine, other: ShownLine): number =>
  one.time === other.time ? 0 : one.time < other.time ? -1 : 1;

/** Collects what an inquiry finds out, and tells when it is complete. */
class Collector implements LogReceiver {
  readonly instances = new Map<string, InstanceLogs>();
  onChange = () => {};
  #lines: ShownLine[] = [];
  #leftOut = 0;

  lines(lines: readonly ShownLine[]): void {
    this.#lines.push(...lines);
    // With room for parts that arrive out of order, so that not every part is sorted.
    if (this.#lines.length > 2 * maxShownLines) this.#keepNewest();
  }

  instance(logs: InstanceLogs): void {
    this.instances.set(logs.instanceId, logs);
    this.onChange();
  }

  leftOut(_instanceId: string, count: number | null): void {
    this.#leftOut += count ?? 0;
  }

  get result(): ReadLogs {
    this.#keepNewest();
    return { lines: this.#lines, instances: [...this.instances.values()], leftOut: this.#leftOut };
  }

  #keepNewest(): void {
    const all = this.#lines.toSorted(byTime);
    this.#lines = all.slice(-maxShownLines);
    this.#leftOut += all.length - this.#lines.length;
  }
}

/** Repeats the question until all instances have answered or were silent for too long, or the server stops. */
async function untilComplete(
  { clock, stopping }: Service,
  { inquiry, collector, targets }: { inquiry: Inquiry; collector: Collector; targets: readonly LogTarget[] },
): Promise<void> {
  const complete = new AbortController();
  collector.onChange = () => {
    if (inquiry.isComplete) complete.abort();
  };
  const signal = AbortSignal.any([complete.signal, stopping]);
  while (!signal.aborted) {
    await inquiry.ask(targets);
    await inquiry.round();
    if (!inquiry.isComplete) await pause(clock, inquiry.pauseMs, signal);
    else return;
  }
}

/** The last lines of the logs of a stack. Waits for agents, which learn of it with their next poll. */
export async function readLogs(
  service: Service,
  actor: Actor,
  { filter, ...place }: ReadRequest,
): Promise<ReadLogs> {
  const { targets, ...source } = await findLogStack(service, actor, place);
  logDeskOf(service).requireRoom(place.stackId);
  const release = await streamsOf(service).slots.take(actor);
  const collector = new Collector();
  const inquiry = new Inquiry(service, {
    ...source,
    filter: { ...filter, follow: false },
    receiver: collector,
  });
  try {
    await untilComplete(service, { inquiry, collector, targets });
    return collector.result;
  } finally {
    inquiry.close();
    release();
  }
}
