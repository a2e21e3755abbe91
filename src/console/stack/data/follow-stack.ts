import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { queries, queryKey } from '../../api/read.ts';
import { after } from '../../clock.ts';
import { heard, lost } from '../../live/live-state.ts';
import { follow } from '../../live/stream.ts';
import { announce } from '../../parts/toast.tsx';
import type { StackEvent, StackResources } from '../../picture/resource.ts';
import { keptEvents, summaryOf, withNewer } from './event-list.ts';
import { pathOf, readOfStackAgain } from './of-stack.ts';
import { readStackAgain, type StackNow } from './stack-now.ts';

type Which = Pick<StackNow, 'api' | 'id'>;

const eventsKey = (id: string): readonly string[] => ['stack events', id];

const known = (id: string): readonly StackEvent[] => queries.getQueryData(eventsKey(id)) ?? [];

/** The last number before the page was opened: later events are news. */
async function lastNumber(stack: Which): Promise<number> {
  const params = { stack_id: stack.id };
  const path = pathOf(stack, '/resources');
  const read = queries.fetchQuery({
    queryKey: queryKey(path, { params }),
    queryFn: ({ signal }) => call('GET', path, { params, signal } as never) as Promise<StackResources>,
    retry: false,
  });
  return read.then(({ event_id }) => event_id).catch(() => 0);
}

/** What the page shows changes more slowly than events arrive. */
const rereadAfter = 1500;

/** Events of one stack on their way into the query cache, at most one write per frame. */
class Inflow {
  readonly #stack: Which;
  readonly #news: number;
  readonly #onDeleted: () => void;
  #waiting: StackEvent[] = [];
  #rereads = false;

  constructor(stack: Which, news: number, onDeleted: () => void) {
    this.#stack = stack;
    this.#news = news;
    this.#onDeleted = onDeleted;
  }

  add(event: StackEvent): void {
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
    const news = events.filter(({ event_id }) => event_id > this.#news);
    for (const event of news) {
      const summary = summaryOf(event);
      if (summary) announce(summary);
    }
    if (news.length > 0) this.#readAgain(news.some(({ kind }) => kind !== 'resource'));
    if (events.some(({ kind, status }) => kind === 'status' && status === 'DELETE_COMPLETE'))
      this.#onDeleted();
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

async function run(stack: Which, stop: AbortController): Promise<void> {
  const last = await lastNumber(stack);
  if (stop.signal.aborted) return;
  const inflow = new Inflow(stack, last, () => stop.abort());
  const start = known(stack.id).at(-1)?.event_id ?? Math.max(0, last - keptEvents);
  await follow(
    {
      request: (lastId) => ({
        method: 'GET',
        path: pathOf(stack, '/events/stream'),
        params: { stack_id: stack.id },
        query: { after: lastId ?? start },
      }),
      onEvent: ({ data }) => inflow.add(JSON.parse(data) as StackEvent),
      onAlive: heard,
      onLost: lost,
      // The roles changed, or the stack is gone: reading it says which.
      onRefused: () => void readStackAgain(stack.id),
    },
    stop.signal,
  );
}

interface Followed {
  stop: AbortController;
  users: number;
}

const followed = new Map<string, Followed>();

/** The next tab of the same stack takes the stream over. */
const lingers = 3000;

function join(stack: Which): () => void {
  const entry = followed.get(stack.id) ?? { stop: new AbortController(), users: 0 };
  if (entry.users === 0 && !followed.has(stack.id)) void run(stack, entry.stop);
  followed.set(stack.id, entry);
  entry.users += 1;
  return () => {
    entry.users -= 1;
    after(lingers, () => {
      if (entry.users > 0 || followed.get(stack.id) !== entry) return;
      entry.stop.abort();
      followed.delete(stack.id);
    });
  };
}

/** Follows the events of a stack while the component is mounted. All components share one stream. */
export function useFollow({ api, id }: Which): void {
  useEffect(() => join({ api, id }), [api, id]);
}

/** The events of a stack, oldest first, as the stream delivers them. */
export const useEvents = (id: string): readonly StackEvent[] =>
  useQuery({
    queryKey: eventsKey(id),
    queryFn: () => known(id),
    enabled: false,
    initialData: () => known(id),
  }).data;
