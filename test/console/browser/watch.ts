import type { BrowserContext, ConsoleMessage, Page, Response } from 'playwright-core';
import { StreamWatch } from './stream-watch.ts';

/** What one reply or stream brought into the browser. */
export interface Received {
  from: string;
  text: string;
}

/** Refusals of the interface are answers that the page explains. A file that is missing is an error. */
const isRefusal = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: .* status of 4\d\d/.test(message.text()) &&
  /^\/v[23]\//.test(new URL(message.location().url).pathname);

const isText = (type: string): boolean => /json|text|javascript|xml|yaml/.test(type);

/** Headers and text of a reply. The cookie is in no script's reach. A stream has no end: see `StreamWatch`. */
async function receivedFrom(response: Response): Promise<Received> {
  const { 'set-cookie': _, ...headers } = await response.allHeaders();
  const type = headers['content-type'] ?? '';
  const hasBody = isText(type) && !type.includes('event-stream');
  // A page that moves on drops the body of what it asked for before.
  const body = hasBody ? await response.text().catch(() => '') : '';
  return {
    from: `reply of ${response.request().method()} ${response.url()}`,
    text: JSON.stringify(headers) + body,
  };
}

/** Everything that goes wrong in the pages of one context, and everything they receive. */
export class Watch {
  readonly addresses: string[] = [];
  #complaints: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #received: Promise<Received>[] = [];
  readonly #streams: StreamWatch[] = [];
  readonly #context: BrowserContext;

  constructor(context: BrowserContext) {
    this.#context = context;
    // A violation of the content security policy is an error of the console, too.
    context.on('console', (message) => {
      if (message.type() === 'error' && !isRefusal(message))
        this.#complain(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#complain(`page: ${error.error().message}`));
    context.on('request', (request) => void this.addresses.push(request.url()));
    context.on('response', (response) => {
      const received = receivedFrom(response);
      // A page that closes takes the replies that are still on their way with it.
      received.catch(() => {});
      this.#received.push(received);
    });
  }

  #complain(complaint: string): void {
    if (!this.#expected.some((pattern) => pattern.test(complaint))) this.#complaints.push(complaint);
  }

  /** Everything that went wrong since the last call. */
  takeComplaints(): string[] {
    const complaints = this.#complaints;
    this.#complaints = [];
    return complaints;
  }

  /** For tests that cause an error on purpose, such as a lost connection. Call it before. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  async watchStreams(page: Page): Promise<void> {
    const streams = new StreamWatch(page);
    this.#streams.push(streams);
    await streams.start(await this.#context.newCDPSession(page));
  }

  async received(): Promise<Received[]> {
    const settled = await Promise.allSettled(this.#received);
    return [
      ...settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      ...this.#streams.flatMap((streams) => streams.received()),
    ];
  }
}
