import { useEffect } from 'react';
import { after } from '../clock.ts';
import { heard, lost } from '../live/live-state.ts';
import { follow } from '../live/stream.ts';
import type { StackChange } from './changes.ts';
import { applyChanges, listCursor, loadStackList, reloadStackList } from './stack-list.ts';

type Message = { kind: 'alive' } | { kind: 'lost' } | { kind: 'change'; id: string; change: StackChange };

const channel = new BroadcastChannel('almanac stacks');
const hiddenFor = 5 * 60_000;
let lastId: string | null = null;
let waiting: StackChange[] = [];

/** All changes of one frame are drawn at once. */
function applySoon(change: StackChange): void {
  if (waiting.push(change) > 1) return;
  const apply = (): void => {
    applyChanges(waiting);
    waiting = [];
  };
  // A hidden page has no frames.
  if (document.hidden) after(200, apply);
  else requestAnimationFrame(apply);
}

function receive(message: Message): void {
  if (message.kind === 'lost') return lost();
  heard();
  if (message.kind !== 'change') return;
  lastId = message.id || lastId;
  applySoon(message.change);
}

function tellAll(message: Message): void {
  receive(message);
  channel.postMessage(message);
}

const changeOf = (event: string | undefined, data: string): StackChange | null => {
  if (event !== 'stack' && event !== 'deleted') return null;
  const row = JSON.parse(data) as { stack_id: string };
  return { stackId: row.stack_id, row: event === 'stack' ? (row as StackChange['row']) : null };
};

const followAccount = (signal: AbortSignal): Promise<void> =>
  follow(
    {
      request: (id) => {
        const position = id ?? lastId ?? listCursor();
        return {
          method: 'GET',
          path: '/v3/alm/stack/stream',
          query: position === null ? {} : { after: position },
        };
      },
      onEvent: ({ event, data, id }) => {
        const change = changeOf(event, data);
        if (change) tellAll({ kind: 'change', id: id ?? '', change });
      },
      onAlive: () => tellAll({ kind: 'alive' }),
      onLost: () => tellAll({ kind: 'lost' }),
      onRefused: () => {
        // The position is too old, or the roles have changed: begin again with the list.
        lastId = null;
        tellAll({ kind: 'lost' });
        void reloadStackList();
      },
    },
    signal,
  );

const becomesVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => document.hidden || resolve(), { signal });
    signal.addEventListener('abort', () => resolve());
  });

/** Follows until the page was hidden for a while; then again when it is visible. */
async function followWhileVisible(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const hidden = new AbortController();
    let cancel = (): void => {};
    document.addEventListener(
      'visibilitychange',
      () => {
        cancel();
        cancel = document.hidden ? after(hiddenFor, () => hidden.abort()) : () => {};
      },
      { signal: hidden.signal },
    );
    await followAccount(AbortSignal.any([signal, hidden.signal]));
    if (hidden.signal.aborted) await becomesVisible(signal);
    else if (!signal.aborted) await pauseBeforeAgain();
  }
}

const pauseBeforeAgain = (): Promise<void> => new Promise((resolve) => after(5000, resolve));

/**
 * One tab of the browser holds the stream and tells the others: a browser has six connections to a server. Without locks (plain
 * http beyond this machine) each tab has its own.
 */
async function lead(signal: AbortSignal): Promise<void> {
  await loadStackList().catch(() => undefined); // the page shows the error
  if (!('locks' in navigator)) return followWhileVisible(signal);
  await navigator.locks
    .request('almanac stacks', { signal }, () => followWhileVisible(signal))
    .catch(() => undefined); // aborted
}

/** Keeps the list of stacks current while the page is open. */
export function useAccountStream(): void {
  useEffect(() => {
    const stop = new AbortController();
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data), {
      signal: stop.signal,
    });
    void lead(stop.signal);
    return () => stop.abort();
  }, []);
}
