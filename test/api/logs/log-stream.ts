import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Json } from '../../http.ts';

interface StreamedEvent {
  id?: string;
  event: string;
  data: Json;
}

/** An open stream of server-sent events. */
export interface OpenedStream {
  next(): Promise<StreamedEvent>;
  close(): void;
}

const parsed = ({ id, event = '', data }: EventSourceMessage): StreamedEvent => ({
  ...(id === undefined ? {} : { id }),
  event,
  data: JSON.parse(data) as Json,
});

export async function streamOf(
  url: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<OpenedStream> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: controller.signal,
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const events: StreamedEvent[] = [];
  const parser = createParser({ onEvent: (event) => events.push(parsed(event)) });
  const decoder = new TextDecoder();
  const chunks = (response.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return {
    async next() {
      for (;;) {
        const event = events.shift();
        if (event) return event;
        const { value, done } = await chunks.next();
        if (done) throw new Error('The stream has ended.');
        parser.feed(decoder.decode(value, { stream: true }));
      }
    },
    close: () => controller.abort(),
  };
}
