import { vi } from 'vitest';

/** One connection that the page has opened. */
export interface Opened {
  url: URL;
  signal: AbortSignal;
  send: (text: string) => void;
  end: () => void;
}

/** What streams need of a browser: a network, a document that can be hidden, and timers that a test moves. */
export class BrowserStandIn {
  readonly document = Object.assign(new EventTarget(), { hidden: false });
  readonly network = new EventTarget();
  readonly opened: Opened[] = [];
  /** Statuses of the next replies; then every request opens a stream. */
  readonly refusals: number[] = [];
  /** The list of stacks. */
  listReply = { body: '[]', cursor: '' };

  constructor() {
    vi.useFakeTimers();
    vi.stubGlobal('location', new URL('http://almanac.test/console/'));
    vi.stubGlobal('document', this.document);
    vi.stubGlobal('addEventListener', this.network.addEventListener.bind(this.network));
    vi.stubGlobal('removeEventListener', this.network.removeEventListener.bind(this.network));
    vi.stubGlobal('fetch', (address: string | URL, init: RequestInit) => this.#open(new URL(address), init));
  }

  #open(url: URL, { signal }: RequestInit): Promise<Response> {
    if (url.searchParams.has('view')) return Promise.resolve(this.#list());
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return Promise.resolve(new Response('{}', { status: refusal }));
    if (!signal) throw new Error('A stream needs a signal');
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    signal.addEventListener('abort', () => void writer.abort(signal.reason).catch(() => undefined));
    const send = (text: string): void =>
      void writer.write(new TextEncoder().encode(text)).catch(() => undefined);
    this.opened.push({ url, signal, send, end: () => void writer.close().catch(() => undefined) });
    return Promise.resolve(new Response(body.readable));
  }

  #list(): Response {
    const { body, cursor } = this.listReply;
    return new Response(body, { headers: { 'alm-cursor': cursor } });
  }

  get last(): Opened {
    const last = this.opened.at(-1);
    if (!last) throw new Error('Nothing was opened');
    return last;
  }

  pass(milliseconds: number): Promise<unknown> {
    return vi.advanceTimersByTimeAsync(milliseconds);
  }

  setHidden(hidden: boolean): void {
    this.document.hidden = hidden;
    this.document.dispatchEvent(new Event('visibilitychange'));
  }

  restore(): void {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
}
