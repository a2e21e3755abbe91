import { Readable } from 'node:stream';
import type { followEvents } from '../../operations/stacks/read/follow-events.ts';
import { type RawReply, rawReply } from '../http/binding.ts';
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

const followerOf = (body: Readable): Follower => ({
  take: (events) => body.push(events.map(textOf).join('')),
  heartbeat: () => void body.push(': heartbeat\n\n'),
  end: () => void body.push(null),
  drop: (error) => void body.destroy(error),
});

/** Replies with server-sent events. */
export async function replyWithEvents(open: (follower: Follower) => Promise<OpenStream>): Promise<RawReply> {
  let stream: OpenStream | null = null;
  const body = new Readable({ read: () => stream?.resume() });
  body.push('retry: 2000\n\n');
  stream = await open(followerOf(body));
  body.once('close', () => stream?.close());
  return rawReply({
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    body,
  });
}
