import type { Clock } from '../../basics/clock.ts';
import type { Estimate, StackEvent } from './stack-calls.ts';

/** What to reckon with: the end as it usually comes, or that it already takes longer; null: nothing is known. */
export type Expected = { seconds: number; isLate: boolean } | null;

export interface Counts {
  done: number;
  underWay: number;
  failed: number;
}

/** Somebody asked for a change: an operation begins, and what was before it is history. */
export const isBeginning = ({ kind, status }: StackEvent): boolean =>
  kind === 'request' && status.endsWith('_IN_PROGRESS');

/** The stack came to rest. */
export const isRest = ({ kind, status }: StackEvent): boolean =>
  kind === 'status' && !status.endsWith('_IN_PROGRESS');

/** How far an operation is, for as much as its events tell. */
export class Progress {
  readonly #clock: Clock;
  readonly #states = new Map<string, string>();
  #beganAt: number;
  #estimate: Pick<Estimate, 'p50_seconds' | 'p90_seconds'> = { p50_seconds: null, p90_seconds: null };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganAt = clock.now();
  }

  note(event: StackEvent): void {
    if (isBeginning(event)) {
      this.#states.clear();
      this.#beganAt = this.#clock.now();
    }
    if (event.kind === 'resource') this.#states.set(event.resource, event.status);
  }

  /** The service knows since when: its clock and ours may differ, but not how fast they go. */
  expect(estimate: Estimate): void {
    this.#estimate = estimate;
    if (estimate.elapsed_seconds !== null)
      this.#beganAt = this.#clock.now() - estimate.elapsed_seconds * 1000;
  }

  get elapsedSeconds(): number {
    return Math.max(0, (this.#clock.now() - this.#beganAt) / 1000);
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
    const states = [...this.#states.values()];
    const ending = (end: string): number => states.filter((state) => state.endsWith(end)).length;
    return { done: ending('_COMPLETE'), underWay: ending('_IN_PROGRESS'), failed: ending('_FAILED') };
  }
}
