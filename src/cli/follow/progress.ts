import type { Clock } from '../../basics/clock.ts';
import type { ProgressRow, ProgressView } from './draw.ts';
import type { Estimate, Rollout, StackEvent, StackState } from './stack-calls.ts';
import type { Expected } from './texts.ts';

/** True for a request of a change, which starts an operation. */
export const isOperationStart = ({ kind, status }: StackEvent): boolean =>
  kind === 'request' && status.endsWith('_IN_PROGRESS');

/** True for the final status of an operation. */
export const isSettled = ({ kind, status }: StackEvent): boolean =>
  kind === 'status' && !status.endsWith('_IN_PROGRESS');

const rowState = (status: string): ProgressRow['state'] => {
  if (status.endsWith('_FAILED')) return 'failed';
  return status.endsWith('_COMPLETE') ? 'done' : 'busy';
};

const instanceStates = {
  starting: 'busy',
  unknown: 'busy',
  serving: 'done',
  failing: 'failed',
} as const satisfies Record<Rollout['instances'][number]['state'], ProgressRow['state']>;

/** Times of rows are those of the service until they are drawn. */
const rowOfInstance =
  ({ flag, began_at: began }: Rollout) =>
  ({ instance_id: id, state, since, reason }: Rollout['instances'][number]): ProgressRow => ({
    name: `${flag} ${id}`,
    type: 'application',
    state: instanceStates[state],
    began: Date.parse(began),
    ended: state === 'serving' && since !== null ? Date.parse(since) : null,
    note: reason,
  });

const words: Readonly<Record<string, ProgressView['doing']>> = {
  CREATE_IN_PROGRESS: 'creating',
  UPDATE_IN_PROGRESS: 'updating',
  DELETE_IN_PROGRESS: 'deleting',
};

/** Progress of an operation, computed from its events and rollouts. */
export class Progress {
  readonly #clock: Clock;
  readonly #rows = new Map<string, ProgressRow>();
  #request: StackEvent | undefined;
  #state: StackState | undefined;
  #rollouts: readonly Rollout[] = [];
  #startedAt: number;
  #estimate: Pick<Estimate, 'p50_seconds' | 'p90_seconds'> = { p50_seconds: null, p90_seconds: null };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  record(event: StackEvent): void {
    if (isOperationStart(event)) {
      this.#rows.clear();
      this.#request = event;
      this.#startedAt = this.#clock.now();
    }
    if (event.kind === 'resource') this.#recordResource(event);
  }

  #recordResource({ resource, resource_type: type, status, message, time }: StackEvent): void {
    const at = Date.parse(time);
    const state = rowState(status);
    const before = this.#rows.get(resource);
    const began = before?.state === 'busy' ? before.began : at;
    this.#rows.set(resource, {
      name: resource,
      type,
      state,
      began,
      ended: state === 'busy' ? null : at,
      note: message,
    });
  }

  /** What the stack and its application are doing now. */
  setState(state: StackState, rollouts: readonly Rollout[]): void {
    this.#state = state;
    this.#rollouts = rollouts;
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
    if (usual === null || this.isGoingBack) return null;
    if (elapsed <= usual) return { seconds: usual, isLate: false };
    const seconds = long ?? usual;
    return { seconds, isLate: elapsed > seconds };
  }

  /** A failed change is undone: times that were learned from successful ones do not apply. */
  get isGoingBack(): boolean {
    const doing = this.#state?.doing;
    return doing === 'undoing' || doing === 'returning';
  }

  /** Why it goes back; empty if it does not, or nobody knows. A return has the reason of the rollout that failed. */
  get goingBackReason(): string {
    if (!this.isGoingBack) return '';
    const failed = this.#rollouts.find(({ state }) => state === 'returned' || state === 'failing');
    return this.#state?.doingReason || (failed?.reason ?? '');
  }

  get view(): ProgressView {
    const offset = this.#request ? this.#startedAt - Date.parse(this.#request.time) : 0;
    const local = (row: ProgressRow): ProgressRow => ({
      ...row,
      began: row.began + offset,
      ended: row.ended === null ? null : row.ended + offset,
    });
    const instances = this.#rollouts.flatMap((rollout) => rollout.instances.map(rowOfInstance(rollout)));
    return {
      name: this.#state?.nickname ?? '',
      doing: this.#state?.doing || words[this.#request?.status ?? ''] || '',
      reason: this.goingBackReason,
      startedAt: this.#startedAt,
      expected: this.expected,
      rows: [...this.#rows.values(), ...instances].map(local),
    };
  }
}
