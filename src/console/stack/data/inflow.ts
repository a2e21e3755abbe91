import { queries } from '../../api/read.ts';
import { after } from '../../clock.ts';
import { announce } from '../../parts/messages/toast.tsx';
import type { StackEvent } from '../../picture/resource.ts';
import { keptEvents, summaryOf, withNewer } from './event-list.ts';
import { readOfStackAgain } from './of-stack.ts';
import { readStackAgain, type StackNow } from './stack-now.ts';

type Which = Pick<StackNow, 'api' | 'id'>;

export const eventsKey = (id: string): readonly string[] => ['stack events', id];

/** What the page shows changes more slowly than resources and agents report. */
const rereadAfter = 1500;

interface Terms {
  /** The number of the last event that is known. */
  position: number;
  /** Later events are news. */
  news: number;
  onDeleted: () => void;
}

/** Events of one stack on their way into the query cache, at most one write per frame. */
export class Inflow {
  readonly #stack: Which;
  readonly #terms: Terms;
  #position: number;
  #waiting: StackEvent[] = [];
  #rereads = false;

  constructor(stack: Which, terms: Terms) {
    this.#stack = stack;
    this.#terms = terms;
    this.#position = terms.position;
  }

  /** The number of the last event that arrived. */
  get position(): number {
    return this.#position;
  }

  add(event: StackEvent): void {
    this.#position = event.event_id;
    if (this.#waiting.push(event) === 1) requestAnimationFrame(() => this.#write());
    if (this.#waiting.length > 2 * keptEvents) this.#waiting = this.#waiting.slice(-keptEvents);
  }

  #write(): void {
    const events = this.#waiting;
    this.#waiting = [];
    const { id } = this.#stack;
    queries.setQueryData(eventsKey(id), (old: readonly StackEvent[] | undefined) =>
      withNewer(old ?? [], events),
    );
    const news = events.filter(({ event_id }) => event_id > this.#terms.news);
    for (const event of news) {
      const summary = summaryOf(event);
      if (summary) announce(summary);
    }
    if (news.length > 0) this.#readAgain(news.some(({ kind }) => kind === 'request' || kind === 'status'));
    if (events.some(({ kind, status }) => kind === 'status' && status === 'DELETE_COMPLETE'))
      this.#terms.onDeleted();
  }

  #readAgain(atOnce: boolean): void {
    const read = (): void => {
      this.#rereads = false;
      void readStackAgain(this.#stack.id);
      readOfStackAgain(this.#stack);
    };
    if (atOnce) read();
    else if (!this.#rereads) {
      this.#rereads = true;
      after(rereadAfter, read);
    }
  }
}
