import type { ServerResponse } from 'node:http';
import type { followEvents } from '../../operations/stacks/read/follow-events.ts';
import { EndlessReply } from '../http/binding.ts';
import { presentEvent } from './present-stack.ts';

type OpenStream = Awaited<ReturnType<typeof followEvents>>;
type Follower = Parameters<typeof followEvents>[2]['follower'];
type Event = Parameters<Follower['take']>[0][number];

/** The text of an event is the same for all its streams. */
const texts = new WeakMap<Event, string>();

/** Each event has its id, so that a client can resume after a lost connection. */
function textOf(event: Event): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = `id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
  texts.set(event, text);
  return text;
}

interface Started {
  connection: ServerResponse;
  stream: OpenStream;
  onError: (error: Error) => void;
}

/** Writes events to a connection. Until it has one, it keeps what it took and asks for no more. */
class EventWriter implements Follower {
  #connection: ServerResponse | null = null;
  #early = 'retry: 2000\n\n';
  #isOver = false;
  #onError: (error: Error) => void = () => {};

  take(events: readonly Event[]): boolean {
    const text = events.map(textOf).join('');
    if (this.#connection) return this.#connection.write(text);
    this.#early += text;
    return false;
  }

  heartbeat(): void {
    this.#connection?.write(': heartbeat\n\n');
  }

  end(): void {
    this.#isOver = true;
    this.#connection?.end();
  }

  drop(error?: Error): void {
    if (error) this.#onError(error);
    this.#isOver = true;
    this.#connection?.destroy();
  }

  start({ connection, stream, onError }: Started): void {
    this.#connection = connection;
    this.#onError = onError;
    connection.on('drain', () => stream.resume()).once('close', () => stream.close());
    connection.write(this.#early);
    this.#early = '';
    if (this.#isOver) connection.end();
    else stream.resume();
  }
}

/** Replies with server-sent events. */
export async function replyWithEvents(
  open: (follower: Follower) => Promise<OpenStream>,
): Promise<EndlessReply> {
  const writer = new EventWriter();
  const stream = await open(writer);
  return new EndlessReply({
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    start: (connection, onError) => writer.start({ connection, stream, onError }),
    cancel: () => stream.close(),
  });
}
