import { useEffect } from 'react';
import { after, painted } from '../clock.ts';
import { expectStream, forgetStream, heard, lost } from '../live/live-state.ts';
import { whileVisible } from '../live/while-visible.ts';
import type { StackChange } from './changes.ts';
import { type AccountMessage, followAccount } from './follow-account.ts';
import { applyChanges, listCursor, loadStackList, reloadStackList } from './stack-list.ts';

const streamName = 'stacks';
const channel = new BroadcastChannel('almanac stacks');
const patience = 5 * 60_000;
let lastPosition: string | null = null;
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

const position = (): string | null => lastPosition ?? listCursor();

const listener = {
  position,
  forgetPosition: () => {
    lastPosition = null;
  },
  tell: tellAll,
};

function receive(message: AccountMessage): void {
  switch (message.kind) {
    case 'lost':
      return lost(streamName);
    case 'begin':
      // Another tab begins elsewhere: what happened in between is only in the list.
      if (message.position !== position()) void reloadStackList();
      return;
    case 'refused':
      return forgetStream(streamName);
    case 'change':
      heard(streamName);
      return applySoon(message.change);
    case 'alive':
      heard(streamName);
      lastPosition = message.position ?? lastPosition;
  }
}

function tellAll(message: AccountMessage): void {
  receive(message);
  channel.postMessage(message);
}

/**
 * One tab of the browser holds the stream and tells the others: a browser has six connections to a server. A hidden tab leaves
 * it to the others. Without locks (plain http beyond this machine) each tab has its own.
 */
async function lead(signal: AbortSignal): Promise<void> {
  if (!('locks' in navigator)) return followAccount(listener, signal);
  await navigator.locks
    .request('almanac stacks', { signal }, () => followAccount(listener, signal))
    .catch(() => undefined); // aborted
}

async function keepCurrent(signal: AbortSignal): Promise<void> {
  await loadStackList().catch(() => undefined); // the page shows the error
  // The first rows come before the stream that keeps them current.
  await painted();
  await whileVisible(lead, { patience, signal });
}

/** Keeps the list of stacks current while the page is open. */
export function useAccountStream(): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    expectStream(streamName);
    channel.addEventListener('message', ({ data }: MessageEvent<AccountMessage>) => receive(data), {
      signal,
    });
    void keepCurrent(signal);
    return () => {
      stop.abort();
      forgetStream(streamName);
    };
  }, []);
}
