import type { ServerResponse } from 'node:http';
import type { followEvents } from '../../operations/stacks/read/follow-events.ts';
import { EndlessReply } from '../http/binding.ts';

type OpenStream = Awaited<ReturnType<typeof followEvents>>;
type EventFollower = Parameters<typeof followEvents>[2]['follower'];
/** Receives items that become text. */
interface Follower<Item> extends Omit<EventFollower, 'take'> {
  take(items: readonly Item[]): boolean;
}

/** Keeps texts: that of an item is the same for all streams it goes to. */
export function cachedText<Item extends object>(textOf: (item: Item) => string): (item: Item) => string {
  const texts = new WeakMap<Item, string>();
  return (item) => {
    const text = texts.get(item) ?? textOf(item);
    texts.set(item, text);
    return text;
  };
}

interface Started {
  connection: ServerResponse;
  stream: OpenStream;
  onError: (error: Error) => void;
}

/** Writes events to a connection. Until it has one, it keeps what it took and asks for no more. */
class EventWriter<Item> implements Follower<Item> {
  readonly #textOf: (item: Item) => string;
  #connection: ServerResponse | null = null;
  #early = 'retry: 2000\n\n';
  #isOver = false;
  #onError: (error: Error) => void = () => {};

  constructor(textOf: (item: Item) => string) {
    this.#textOf = textOf;
  }

  take(items: readonly Item[]): boolean {
    const text = items.map(this.#textOf).join('');
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
export async function replyWithEvents<Item>(
  textOf: (item: Item) => string,
  open: (follower: Follower<Item>) => Promise<OpenStream>,
): Promise<EndlessReply> {
  const writer = new EventWriter(textOf);
  const stream = await open(writer);
  return new EndlessReply({
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
    start: (connection, onError) => writer.start({ connection, stream, onError }),
    cancel: () => stream.close(),
  });
}
