import type { Clock } from '../../basics/clock.ts';
import type { Estimate, StackEvent } from './stack-calls.ts';

/** Usual duration of the operation, and whether it already takes longer; null when unknown. */
export type Expected = { seconds: number; isLate: boolean } | null;

export interface Counts {
  done: number;
  inProgress: number;
  failed: number;
}

/** True for a request of a change, which starts an operation. */
export const isOperationStart = ({ kind, status }: StackEvent): boolean =>
  kind === 'request' && status.endsWith('_IN_PROGRESS');

/** True for the final status of an operation. */
export const isSettled = ({ kind, status }: StackEvent): boolean =>
  kind === 'status' && !status.endsWith('_IN_PROGRESS');

/** Progress of an operation, computed from its events. */
export class Progress {
  readonly #clock: Clock;
  readonly #statuses = new Map<string, string>();
  #startedAt: number;
  #estimate: Pick<Estimate, 'p50_seconds' | 'p90_seconds'> = { p50_seconds: null, p90_seconds: null };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  record(event: StackEvent): void {
    if (isOperationStart(event)) {
      this.#statuses.clear();
      this.#startedAt = this.#clock.now();
    }
    if (event.kind === 'resource') this.#statuses.set(event.resource, event.status);
  }

  /** Takes the elapsed time from the service, because its clock and the local one may differ. */
  setEstimate(estimate: Estimate): void {
    this.#estimate = estimate;
    if (estimate.elapsed_seconds !== null)
      this.#startedAt = this.#clock.now() - estimate.elapsed_seconds * 1000;
  }

  get elapsedSeconds(): number {
    return Math.max(0, (this.#clock.now() - this.#startedAt) / 1000);
  }

  get expected(): Expected {
    const { p50_seconds: usual, p90_seconds: long } = this.#estimate;
    const elapsed = this.elapsedSeconds;
    if (usual === null) return null;
    if (elapsed <= usual) return { seconds: usual, isLate: false };
    const seconds = long ?? usual;
    return { seconds, isLate: elapsed > seconds };
  }

  get counts(): Counts {
    const statuses = [...this.#statuses.values()];
    const count = (suffix: string): number => statuses.filter((status) => status.endsWith(suffix)).length;
    return { done: count('_COMPLETE'), inProgress: count('_IN_PROGRESS'), failed: count('_FAILED') };
  }
}
