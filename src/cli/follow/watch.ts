import type { Clock } from '../../basics/clock.ts';
import { ApiError } from '../net/api-error.ts';
import type { Connection } from './connection.ts';
import type { Display } from './display.ts';
import { followEvents } from './follow-events.ts';
import type { Outcome } from './outcome.ts';
import { isOperationStart, isSettled, type Progress } from './progress.ts';
import type { StackCalls, StackEvent, StackState } from './stack-calls.ts';

interface Tools {
  calls: Pick<StackCalls, 'describe' | 'events' | 'stream' | 'estimate' | 'rollouts'>;
  connection: Connection;
  display: Pick<Display, 'event' | 'progressed'>;
  clock: Clock;
  progress: Progress;
  signal: AbortSignal;
}

/** How often the state of the application is asked for. */
const pulseMs = 2000;

const deleted: StackState = { status: 'DELETE_COMPLETE', reason: '', outputs: [] };

const isInProgress = ({ status }: StackState): boolean => status.endsWith('_IN_PROGRESS');

const isDeletion = (request: StackEvent | undefined): boolean =>
  request?.status.startsWith('DELETE_') ?? false;

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Events of the current operation: from the request for the awaited version on, otherwise from the latest request on. */
export function currentOperation(events: readonly StackEvent[], versionId?: string): StackEvent[] {
  const ofVersion = events.findLastIndex(
    (event) => isOperationStart(event) && versionId !== undefined && event.version_id === versionId,
  );
  const start = ofVersion >= 0 ? ofVersion : events.findLastIndex(isOperationStart);
  return start < 0 ? [] : events.slice(start);
}

/** Follows an operation of a stack to its end. */
export class Watch {
  readonly #tools: Tools;
  readonly #versionId: string | undefined;
  /** A deleted stack has none any more. */
  #nickname: string | undefined;
  #began: StackEvent | undefined;
  #latest: StackEvent | undefined;
  #ended: StackEvent | undefined;
  /** The final status of the awaited version, even when a later change follows. */
  #ownEnd: StackEvent | undefined;

  constructor(tools: Tools, versionId: string | undefined) {
    this.#tools = tools;
    this.#versionId = versionId;
  }

  /** Returns the result with the rollouts at the end. */
  async untilOver(): Promise<Outcome> {
    const { calls, connection, progress } = this.#tools;
    const settled = await this.untilSettled();
    const rollouts = await connection.retry(() => calls.rollouts());
    const state = { ...settled.state, nickname: settled.state.nickname ?? this.#nickname };
    progress.setState(state, rollouts);
    return { ...settled, state, rollouts };
  }

  async untilSettled(): Promise<Outcome> {
    const { calls, connection, signal } = this.#tools;
    const first = await this.#describe();
    if (first === deleted) return this.#outcome(first);
    const past = await connection.retry(() => calls.events(0));
    for (const event of currentOperation(past, this.#versionId)) this.#record(event);
    // It may have settled between the two calls.
    const now = this.#ended ? await this.#describe() : first;
    if (this.#isOver(now)) return this.#outcome(now);
    void this.#estimate();
    const after = past.at(-1)?.event_id ?? 0;
    const stop = this.#pulse();
    try {
      return await this.#follow(followEvents({ calls, connection, signal, after }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#outcome(await this.#describe());
    } finally {
      stop();
    }
  }

  /** Events do not say what every instance does, nor that a change is being undone. Returns a function that ends it. */
  #pulse(): () => void {
    const { calls, clock, display, progress } = this.#tools;
    let isOver = false;
    let cancel = (): void => {};
    const beat = async (): Promise<void> => {
      try {
        progress.setState(await calls.describe(), await calls.rollouts());
        if (!isOver) display.progressed();
      } catch {
        // The stream of events reports errors.
      }
      if (!isOver) cancel = clock.after(pulseMs, () => void beat());
    };
    void beat();
    return () => {
      isOver = true;
      cancel();
    };
  }

  async #follow(events: AsyncIterable<StackEvent>): Promise<Outcome> {
    for await (const event of events) {
      this.#record(event);
      if (isOperationStart(event)) void this.#estimate();
      const now = isSettled(event) ? await this.#describe() : undefined;
      if (now && this.#isOver(now)) return this.#outcome(now);
    }
    throw new Error('The event stream ended unexpectedly');
  }

  #record(event: StackEvent): void {
    const { display, progress } = this.#tools;
    progress.record(event);
    display.event(event);
    if (isOperationStart(event)) {
      this.#began ??= event;
      this.#latest = event;
      this.#ended = undefined;
    }
    if (!isSettled(event)) return;
    this.#ended = event;
    // The version of a deletion is the version that is deleted.
    if (event.version_id === this.#versionId && !event.status.startsWith('DELETE_')) this.#ownEnd ??= event;
  }

  #isOver(state: StackState): boolean {
    return this.#ownEnd !== undefined || !isInProgress(state);
  }

  #outcome(state: StackState): Outcome {
    const events = { began: this.#began, latest: this.#latest, ended: this.#ended };
    const versionId = state.versionId ?? this.#latest?.version_id;
    const own = this.#ownEnd;
    if (!own || (own.status === state.status && own.version_id === versionId))
      return { ...events, state: { ...state, versionId } };
    // A later change is in progress, but the awaited version has settled.
    const { status, message: reason, version_id: ownVersion } = own;
    return { ...events, ended: own, state: { ...state, status, reason, versionId: ownVersion, outputs: [] } };
  }

  async #describe(): Promise<StackState> {
    try {
      const state = await this.#tools.connection.retry(() => this.#tools.calls.describe());
      this.#nickname = state.nickname;
      return state;
    } catch (error) {
      // A deleted stack is not found after its retention time.
      if (isNotFound(error) && isDeletion(this.#latest)) return deleted;
      throw error;
    }
  }

  /** Optional: without an estimate the progress bar is indeterminate. */
  async #estimate(): Promise<void> {
    try {
      this.#tools.progress.setEstimate(await this.#tools.calls.estimate());
    } catch {
      // The next call reports the error.
    }
  }
}
