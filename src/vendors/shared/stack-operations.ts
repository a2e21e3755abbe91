import type { Clock } from '../../basics/clock.ts';
import { RecentMap } from './recent-map.ts';
import type { Sequence } from './shared-read.ts';

export interface AcceptedOperation {
  doing: 'apply' | 'remove';
  version: string;
  at: number;
}

interface EndedOperation<History> {
  /** Changes with every operation: status and time of the stack. */
  state: string;
  isSettled: boolean;
  none: History;
  read: () => Promise<History>;
}

/** More than the stacks that change at one time. A history can be read again, and its events are already stored with the stack. */
const maxHistories = 500;

/**
 * What this server knows about operations of stacks and no read shows: those that the cloud just accepted, and the history of
 * those that ended, which is read once.
 */
export class StackOperations<History> {
  readonly #clock: Clock;
  readonly #sequence: Sequence;
  readonly #accepted = new Map<string, AcceptedOperation & { order: number }>();
  readonly #requestedAt: RecentMap<number>;
  readonly #changing = new Set<string>();
  readonly #histories = new Map<string, { state: string; history: History }>();

  constructor(clock: Clock, sequence: Sequence) {
    this.#clock = clock;
    this.#sequence = sequence;
    this.#requestedAt = new RecentMap(clock);
  }

  /** The cloud accepted an operation: reads that started earlier do not show it. */
  accept(stackId: string, operation: Omit<AcceptedOperation, 'at'>): void {
    const at = this.#clock.now();
    this.#accepted.set(stackId, { ...operation, at, order: this.#sequence.next() });
    this.#requestedAt.set(stackId, at);
    this.changes(stackId);
  }

  /** The operation that was accepted and not yet seen in a read. */
  unseen(stackId: string): AcceptedOperation | undefined {
    return this.#accepted.get(stackId);
  }

  /** The operation that was accepted after the read of this order started. */
  acceptedSince(stackId: string, order: number): AcceptedOperation | undefined {
    const accepted = this.#accepted.get(stackId);
    return accepted && accepted.order > order ? accepted : undefined;
  }

  /** A read shows the accepted operation. */
  seen(stackId: string): void {
    this.#accepted.delete(stackId);
  }

  /** When this server last had an operation of the stack accepted, by its own clock; 0 if that is long ago. */
  requestedAt(stackId: string): number {
    return this.#requestedAt.get(stackId) ?? 0;
  }

  /** A read shows an operation in progress: its history is read when it ends. */
  changes(stackId: string): void {
    this.#changing.add(stackId);
    this.#histories.delete(stackId);
  }

  /** The stack does not exist. */
  forget(stackId: string): void {
    this.#changing.delete(stackId);
    this.#histories.delete(stackId);
  }

  /** The history of the last operation. Of a settled stack, only if this server saw it change. */
  async history(
    stackId: string,
    { state, isSettled, none, read }: EndedOperation<History>,
  ): Promise<History> {
    const known = this.#histories.get(stackId);
    if (known?.state === state) return known.history;
    if (isSettled && !this.#changing.has(stackId)) return none;
    const history = await read();
    this.#changing.delete(stackId);
    this.#keep(stackId, { state, history });
    return history;
  }

  #keep(stackId: string, entry: { state: string; history: History }): void {
    this.#histories.delete(stackId);
    this.#histories.set(stackId, entry);
    const [oldest] = this.#histories.keys();
    if (this.#histories.size > maxHistories && oldest !== undefined) this.#histories.delete(oldest);
  }
}
