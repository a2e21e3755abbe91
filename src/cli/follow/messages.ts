import { createParser } from 'eventsource-parser';

/** An event of a `text/event-stream`. */
export interface Message {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}

/** Yields each complete event; heartbeats are skipped. */
export async function* messagesOf(chunks: AsyncIterable<string>): AsyncGenerator<Message> {
  const complete: Message[] = [];
  const parser = createParser({ onEvent: (message) => complete.push(message) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    yield* complete.splice(0);
  }
}
