import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type LooseCall, open } from '../api/call.ts';
import { CallFailed } from '../api/failure.ts';
import { after } from '../clock.ts';
import { Connection } from './connection.ts';
import { delayBefore } from './liveness.ts';

export interface StreamOptions {
  /** The request, from the last event that was received. */
  request: () => Omit<LooseCall, 'signal'>;
  onEvent: (event: EventSourceMessage) => void;
  /** Something arrived, even if it is only a heartbeat. */
  onAlive: () => void;
  /** The connection is gone and will be opened again. */
  onLost: () => void;
}

const isFinal = (error: unknown): error is CallFailed =>
  error instanceof CallFailed && error.status < 500 && error.status !== 429 && error.status !== 408;

/** Waits; not longer than until there is hope: the network is back, or the user is. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController();
    const done = (): void => {
      cancel();
      over.abort();
      resolve();
    };
    const whenVisible = (): void => {
      if (!document.hidden) done();
    };
    const cancel = after(milliseconds, done);
    addEventListener('online', done, { signal: over.signal });
    document.addEventListener('visibilitychange', whenVisible, { signal: over.signal });
    signal.addEventListener('abort', done, { signal: over.signal });
  });

/** Reads one connection to its end. */
async function readOnce(options: StreamOptions, connection: Connection): Promise<void> {
  const { signal } = connection;
  const response = await open({ ...options.request(), signal });
  const parser = createParser({ onEvent: options.onEvent });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!signal.aborted) {
    connection.heard();
    options.onAlive();
    const chunk = await reader?.read();
    if (!chunk || chunk.done) return;
    if (!signal.aborted) parser.feed(chunk.value);
  }
}

/**
 * Follows a stream of server-sent events until the signal aborts; opens it again when it ends. Resolves to the refusal if the
 * service refuses it.
 */
export async function follow(options: StreamOptions, signal: AbortSignal): Promise<CallFailed | null> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const connection = new Connection(signal);
    try {
      await readOnce(options, connection);
    } catch (error) {
      if (signal.aborted) return null;
      if (isFinal(error)) return error;
      options.onLost();
    } finally {
      connection.end();
    }
    // A planned end after a while is not a failure: connect again at once.
    if (connection.lasted) attempt = 0;
    if (!signal.aborted) await pause(delayBefore(attempt), signal);
  }
  return null;
}
