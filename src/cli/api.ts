import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from '../basics/clock.ts';
import { addressOf, type CallInput, isDocument, type LooseInput } from '../contract/client.ts';
import type { Route, SuccessOf } from '../contract/route.ts';
import { isSuccess, type Received, send, textOf } from './http.ts';
import { pause } from './pause.ts';
import { Refused } from './refused.ts';
import type { Profile } from './settings.ts';
import type { Trace } from './trace.ts';

export interface Reply<Body> {
  status: number;
  /** `201 Created` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  text: string;
  body: Body;
}

/** Where tokens come from. */
export interface TokenSource {
  token(): Promise<string>;
  /** After a 401: another one, or null when there is none to be had. */
  renew(refused: string): Promise<string | null>;
}

interface Tools {
  clock: Clock;
  settings: Profile;
  tokens: TokenSource;
  trace: Trace;
}

const longestPauseSeconds = 10;
const mostTries = 4;

const typeOf = (body: unknown): string =>
  isDocument(body) && body.format === 'yaml' ? 'application/x-yaml' : 'application/json';

type Asked = LooseInput & { streaming?: boolean; timeoutSeconds?: number };

/**
 * The service's routes. A call names its route by type alone, `call<typeof listStacks>('GET', '/v3/alm/stack')`: the
 * compiler holds method, path, input and answer to the contract, and nothing of it is loaded when the program runs.
 */
export class Api {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async call<R extends Route>(
    method: R['method'],
    path: R['path'],
    input?: CallInput<R> & { timeoutSeconds?: number },
  ): Promise<Reply<SuccessOf<R>>> {
    const url = new URL(addressOf(this.#tools.settings.api_url, { path }, input ?? {}));
    const received = await this.#exchange(method, url, input ?? {});
    const text = await textOf(received, url);
    this.#tools.trace.ended();
    const { status, statusLine, headers } = received;
    const body = parsed(text);
    // Somebody else lives there, or stands between us.
    if (body === null) throw new Refused({ status, statusLine, text });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract says what the route answers
    return { status, statusLine, headers, text, body: body as SuccessOf<R> };
  }

  /** An answer that is read as it comes. */
  async stream<R extends Route>(
    method: R['method'],
    path: R['path'],
    input?: CallInput<R>,
  ): Promise<IncomingMessage> {
    const url = new URL(addressOf(this.#tools.settings.api_url, { path }, input ?? {}));
    return (await this.#exchange(method, url, { ...input, streaming: true })).body;
  }

  async #exchange(method: string, url: URL, input: Asked): Promise<Received> {
    const { tokens } = this.#tools;
    const token = await tokens.token();
    const first = await this.#patiently(method, url, input, token);
    if (first.status !== 401) return this.#accepted(first, url);
    // Read to its end: an answer nobody reads keeps its connection open, and so the program.
    const refused = await this.#refusal(first, url);
    const renewed = await tokens.renew(token);
    if (renewed === null) throw refused;
    return this.#accepted(await this.#patiently(method, url, input, renewed), url);
  }

  /** Told to come again later, and soon: it comes again. Nothing was done by the refused call. */
  async #patiently(method: string, url: URL, input: Asked, token: string): Promise<Received> {
    for (let tries = 1; ; tries += 1) {
      const received = await this.#once(method, url, input, token);
      const seconds = Number(received.headers['retry-after'] ?? 1);
      if (received.status !== 429 || tries === mostTries || !(seconds <= longestPauseSeconds))
        return received;
      received.body.resume();
      await pause(this.#tools.clock, Math.max(seconds, 0.1) * 1000, input.signal);
      input.signal?.throwIfAborted();
    }
  }

  async #once(method: string, url: URL, input: Asked, token: string): Promise<Received> {
    const { clock, settings, trace } = this.#tools;
    const { body, signal, streaming } = input;
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'user-agent': 'alm' };
    for (const [name, value] of Object.entries(input.headers ?? {}))
      if (value !== undefined) headers[name] = asHeader(value);
    if (body !== undefined) headers['content-type'] = typeOf(body);
    const text = body === undefined ? undefined : isDocument(body) ? body.text : JSON.stringify(body);
    trace.asked(method, url, headers);
    const timeoutSeconds = input.timeoutSeconds ?? settings.timeout;
    const received = await send(clock, {
      method,
      url,
      headers,
      body: text,
      signal,
      timeoutSeconds,
      streaming: streaming ?? false,
    });
    trace.answered(received);
    return received;
  }

  async #accepted(received: Received, url: URL): Promise<Received> {
    const { status } = received;
    if (isSuccess(status)) return received;
    throw await this.#refusal(received, url);
  }

  async #refusal(received: Received, url: URL): Promise<Refused> {
    const { status, statusLine } = received;
    return new Refused({ status, statusLine, text: await textOf(received, url) });
  }
}

const asHeader = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The object or the list; null for all else. */
const parsed = (text: string): object | null => {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
};
