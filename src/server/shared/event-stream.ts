import { Readable } from 'node:stream';
import type { followEvents } from '../../operations/stacks/read/follow-events.ts';
import { rawReply } from '../http/binding.ts';
import { presentEvent } from './present-stack.ts';

type Batches = Awaited<ReturnType<typeof followEvents>>;

/** Server-sent events, each with its id so that a client can resume after a lost connection. */
async function* lines(batches: Batches): AsyncGenerator<string> {
  yield 'retry: 2000\n\n';
  for await (const events of batches) {
    if (events.length === 0) yield ': heartbeat\n\n';
    for (const event of events)
      yield `id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
  }
}

export function eventStream(batches: Batches, onDisconnect: () => void) {
  const body = Readable.from(lines(batches), { objectMode: false });
  body.once('close', onDisconnect);
  return rawReply({
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    body,
  });
}
