import { createParser } from 'eventsource-parser';
import type { Connection } from './connection.ts';
import type { StackCalls, StackEvent } from './stack-calls.ts';

interface FollowOptions {
  calls: Pick<StackCalls, 'stream'>;
  connection: Connection;
  signal: AbortSignal;
  /** The number of the last known event. */
  after: number;
}

/** Yields the data of each complete event of a `text/event-stream`; heartbeats and other fields are skipped. */
export async function* eventData(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const complete: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => complete.push(data) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    yield* complete.splice(0);
  }
}

/** Yields each event once and in order, reconnecting as often as needed. Ends only by throwing. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StackEvent> {
  const { calls, connection, signal, after } = options;
  let last = after;
  for (;;) {
    const body = await connection.retry(() => calls.stream(last));
    try {
      for await (const data of eventData(connection.read(body))) {
        const event: StackEvent = JSON.parse(data);
        if (event.event_id <= last) continue;
        last = event.event_id;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // The stream broke. The next attempt to open it shows whether the connection is lost.
    } finally {
      body.destroy();
    }
    await connection.backOff();
  }
}
