import type { Line } from './connection.ts';
import { dataOf } from './server-sent.ts';
import type { StackCalls, StackEvent } from './stack-calls.ts';

interface Followed {
  calls: Pick<StackCalls, 'stream'>;
  line: Line;
  signal: AbortSignal;
  /** The number of the last one known. */
  after: number;
}

/** Each event as it comes, once and in order, over as many connections as it takes. Ends only by what it throws. */
export async function* followEvents({ calls, line, signal, after }: Followed): AsyncGenerator<StackEvent> {
  let last = after;
  for (;;) {
    const body = await line.hold(() => calls.stream(last));
    try {
      for await (const data of dataOf(line.listen(body))) {
        const event: StackEvent = JSON.parse(data);
        if (event.event_id <= last) continue;
        last = event.event_id;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      // It broke. Whether the line is lost is seen when it is opened again.
    } finally {
      body.destroy();
    }
    await line.rest();
  }
}
