import { ApiError } from '../net/api-error.ts';
import type { Line } from './connection.ts';
import type { Display } from './display.ts';
import { followEvents } from './follow-events.ts';
import { isBeginning, isRest, type Progress } from './progress.ts';
import type { StackCalls, StackEvent, StackNow } from './stack-calls.ts';

/** How a stack came to rest. */
export interface Outcome {
  now: StackNow;
  /** The request the wait began with. */
  began?: StackEvent | undefined;
  /** The newest request: another one than `began` when somebody came in between. */
  asked?: StackEvent | undefined;
  /** The stack's own word that it was over. */
  ended?: StackEvent | undefined;
}

interface Tools {
  calls: Pick<StackCalls, 'describe' | 'events' | 'stream' | 'estimate'>;
  line: Line;
  display: Pick<Display, 'event'>;
  progress: Progress;
  signal: AbortSignal;
}

const gone: StackNow = { status: 'DELETE_COMPLETE', reason: '', outputs: [] };

const isUnderWay = ({ status }: StackNow): boolean => status.endsWith('_IN_PROGRESS');

const isDeletion = (request: StackEvent | undefined): boolean =>
  request?.status.startsWith('DELETE_') ?? false;

const isNotThere = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Where the present operation begins: with the request for the version that is awaited, else with the newest one. */
export function presentOperation(events: readonly StackEvent[], versionId?: string): StackEvent[] {
  const ofVersion = events.findLastIndex(
    (event) => isBeginning(event) && versionId !== undefined && event.version_id === versionId,
  );
  const start = ofVersion >= 0 ? ofVersion : events.findLastIndex(isBeginning);
  return start < 0 ? [] : events.slice(start);
}

/** Sees a stack through what it goes through. */
export class Watch {
  readonly #tools: Tools;
  readonly #versionId: string | undefined;
  #began: StackEvent | undefined;
  #asked: StackEvent | undefined;
  #ended: StackEvent | undefined;
  /** The end of the version that is awaited, whatever came after it. */
  #ownEnd: StackEvent | undefined;

  constructor(tools: Tools, versionId: string | undefined) {
    this.#tools = tools;
    this.#versionId = versionId;
  }

  async untilRest(): Promise<Outcome> {
    const { calls, line, signal } = this.#tools;
    const first = await this.#describe();
    if (first === gone) return this.#outcome(first);
    const past = await line.hold(() => calls.events(0));
    for (const event of presentOperation(past, this.#versionId)) this.#take(event);
    // It may have come to rest between the two.
    const now = this.#ended ? await this.#describe() : first;
    if (this.#isOver(now)) return this.#outcome(now);
    void this.#estimate();
    const after = past.at(-1)?.event_id ?? 0;
    try {
      return await this.#follow(followEvents({ calls, line, signal, after }));
    } catch (error) {
      if (!isNotThere(error)) throw error;
      return this.#outcome(await this.#describe());
    }
  }

  async #follow(events: AsyncIterable<StackEvent>): Promise<Outcome> {
    for await (const event of events) {
      this.#take(event);
      if (isBeginning(event)) void this.#estimate();
      const now = isRest(event) ? await this.#describe() : undefined;
      if (now && this.#isOver(now)) return this.#outcome(now);
    }
    throw new Error('The events ended by themselves');
  }

  #take(event: StackEvent): void {
    const { display, progress } = this.#tools;
    progress.note(event);
    display.event(event);
    if (isBeginning(event)) {
      this.#began ??= event;
      this.#asked = event;
      this.#ended = undefined;
    }
    if (!isRest(event)) return;
    this.#ended = event;
    // A deletion bears the number of the version that is deleted.
    if (event.version_id === this.#versionId && !event.status.startsWith('DELETE_')) this.#ownEnd ??= event;
  }

  #isOver(now: StackNow): boolean {
    return this.#ownEnd !== undefined || !isUnderWay(now);
  }

  #outcome(now: StackNow): Outcome {
    const known = { began: this.#began, asked: this.#asked, ended: this.#ended };
    const versionId = now.versionId ?? this.#asked?.version_id;
    const own = this.#ownEnd;
    if (!own || (own.status === now.status && own.version_id === versionId))
      return { ...known, now: { ...now, versionId } };
    // The next change is at work already, but ours had its end.
    const { status, message: reason, version_id: ours } = own;
    return { ...known, ended: own, now: { status, reason, versionId: ours, outputs: [] } };
  }

  async #describe(): Promise<StackNow> {
    try {
      return await this.#tools.line.hold(() => this.#tools.calls.describe());
    } catch (error) {
      // What is deleted can be seen for a while; what may not be seen is not there either.
      if (isNotThere(error) && isDeletion(this.#asked)) return gone;
      throw error;
    }
  }

  /** Good to have, and no more: without it there is a bar without an end. */
  async #estimate(): Promise<void> {
    try {
      this.#tools.progress.expect(await this.#tools.calls.estimate());
    } catch {
      // The next call says what is wrong.
    }
  }
}
