import type { CDPSession, Page } from 'playwright-core';
import type { Received } from './watch.ts';

const isEventStream = (type: string): boolean => type.includes('event-stream');

/** What a page receives from replies without an end: an `EventSource`, a stream read with `fetch`, a web socket. */
export class StreamWatch {
  readonly #page: Page;
  /** Of one stream, in order: a secret may arrive in two pieces. */
  readonly #bytes = new Map<string, { from: string; pieces: Buffer[] }>();
  readonly #messages: Received[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async start(session: CDPSession): Promise<void> {
    session.on('Network.eventSourceMessageReceived', ({ data }) => {
      this.#messages.push({ from: `stream of ${this.#page.url()}`, text: data });
    });
    session.on('Network.webSocketFrameReceived', ({ response }) => {
      this.#messages.push({ from: `web socket of ${this.#page.url()}`, text: response.payloadData });
    });
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (type !== 'EventSource' && isEventStream(response.mimeType))
        void this.#follow(session, requestId, response.url);
    });
    session.on('Network.dataReceived', ({ requestId, data = '' }) => {
      this.#bytes.get(requestId)?.pieces.push(Buffer.from(data, 'base64'));
    });
    await session.send('Network.enable');
  }

  /** Asks the browser for the bytes of a stream: by default it reports only how many there are. */
  async #follow(session: CDPSession, requestId: string, url: string): Promise<void> {
    const stream = { from: `stream of GET ${url}`, pieces: new Array<Buffer>() };
    this.#bytes.set(requestId, stream);
    // A stream that ended already has an ordinary reply.
    const before = await session
      .send('Network.streamResourceContent', { requestId })
      .catch(() => ({ bufferedData: '' }));
    stream.pieces.unshift(Buffer.from(before.bufferedData, 'base64'));
  }

  received(): Received[] {
    const streams = [...this.#bytes.values()];
    return [
      ...this.#messages,
      ...streams.map(({ from, pieces }) => ({ from, text: Buffer.concat(pieces).toString() })),
    ];
  }
}
