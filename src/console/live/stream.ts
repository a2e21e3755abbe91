import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type LooseCall, open } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import { after } from '../clock.ts';
import { delayBefore } from './liveness.ts';

export interface StreamOptions {
  /** The request, from the last event that was received. */
  request: (lastId: string | null) => Omit<LooseCall, 'signal'>;
  onEvent: (event: EventSourceMessage) => void;
  /** Something arrived, even if it is only a heartbeat. */
  onAlive: () => void;
  /** The connection is gone and will be opened again. */
  onLost: () => void;
  /** The service refuses the stream: it is not opened again. */
  onRefused: (error: CallFailed) => void;
}

const isFinal = (error: unknown): error is CallFailed =>
  error instanceof CallFailed && error.status < 500 && error.status !== 429 && error.status !== 408;

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      cancel();
      removeEventListener('online', done);
      document.removeEventListener('visibilitychange', whenVisible);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const whenVisible = (): void => {
      if (!document.hidden) done();
    };
    const cancel = after(milliseconds, done);
    // At once when there is hope: the network is back, or the user is.
    addEventListener('online', done);
    document.addEventListener('visibilitychange', whenVisible);
    signal.addEventListener('abort', done);
  });

/** Reads one connection to its end. Resolves to the id of the last event. */
async function readOnce(
  options: StreamOptions,
  lastId: string | null,
  signal: AbortSignal,
): Promise<{ lastId: string | null; received: boolean }> {
  const response = await open({ ...options.request(lastId), signal });
  const seen = { lastId, received: false };
  const parser = createParser({
    onEvent: (event) => {
      seen.lastId = event.id ?? seen.lastId;
      seen.received = true;
      options.onEvent(event);
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  options.onAlive();
  for (;;) {
    const chunk = await reader?.read().catch(() => undefined);
    if (!chunk || chunk.done) return seen;
    options.onAlive();
    parser.feed(chunk.value);
  }
}

/** Follows a stream of server-sent events until the signal aborts; reconnects where it stopped. */
export async function follow(options: StreamOptions, signal: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const seen = await readOnce(options, lastId, signal);
      ({ lastId } = seen);
      // A planned end after a while is not a failure: connect again at once.
      if (seen.received || attempt === 0) attempt = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) return options.onRefused(error);
      options.onLost();
    }
    if (!signal.aborted) await pause(delayBefore(attempt), signal);
  }
}
