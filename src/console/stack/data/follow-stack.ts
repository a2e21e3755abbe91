import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { queries, queryKey } from '../../api/read.ts';
import { after } from '../../clock.ts';
import { expectStream, forgetStream, heard, lost } from '../../live/live-state.ts';
import { follow, pause } from '../../live/stream.ts';
import { whileVisible } from '../../live/while-visible.ts';
import type { StackEvent, StackResources } from '../../picture/resource.ts';
import { keptEvents } from './event-list.ts';
import { eventsKey, Inflow } from './inflow.ts';
import { pathOf } from './of-stack.ts';
import { readStackAgain, type StackNow } from './stack-now.ts';

type Which = Pick<StackNow, 'api' | 'id'>;

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

/** The stack may be allowed again, or the proxy may be repaired. */
const refusedPause = 30_000;

/** Hidden tabs leave their connection to others: a browser has six for a server. */
const patience = 10_000;

const nameOf = ({ id }: Which): string => `stack ${id}`;

/** Streams into the inflow until the signal aborts. */
async function fill(inflow: Inflow, stack: Which, signal: AbortSignal): Promise<void> {
  const name = nameOf(stack);
  const options = {
    request: () => ({
      method: 'GET',
      path: pathOf(stack, '/events/stream'),
      params: { stack_id: stack.id },
      query: { after: inflow.position },
    }),
    onEvent: ({ data }: { data: string }) => inflow.add(JSON.parse(data) as StackEvent),
    onAlive: () => heard(name),
    onLost: () => lost(name),
  };
  while (await follow(options, signal)) {
    lost(name);
    // The roles changed, or the stack is gone: reading it says which.
    void readStackAgain(stack.id);
    await pause(refusedPause, signal);
  }
}

async function run(stack: Which, stop: AbortController): Promise<void> {
  const { signal } = stop;
  expectStream(nameOf(stack));
  signal.addEventListener('abort', () => forgetStream(nameOf(stack)));
  const last = await lastNumber(stack);
  const position = known(stack.id).at(-1)?.event_id ?? Math.max(0, last - keptEvents);
  const inflow = new Inflow(stack, { position, news: last, onDeleted: () => stop.abort() });
  await whileVisible((visible) => fill(inflow, stack, visible), { patience, signal });
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
