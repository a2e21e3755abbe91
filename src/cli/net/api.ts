import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pause } from '../../basics/pause.ts';
import { addressOf, type CallInput, isDocument, type LooseInput } from '../../contract/client.ts';
import type { Route, SuccessOf } from '../../contract/route.ts';
import { CliError, wrongUsage } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';
import { isSuccess, maybeDone, type Received, send, textOf } from './http.ts';
import { Refused } from './refused.ts';
import type { Trace } from './trace.ts';
import type { Sent } from './transport.ts';

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
  system: Pick<System, 'clock' | 'env' | 'onInterrupt'>;
  settings: Profile;
  tokens: TokenSource;
  trace: Trace;
}

const longestPauseSeconds = 10;
const maxTries = 4;

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
    const url = this.#addressOf(path, input ?? {});
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
    const url = this.#addressOf(path, input ?? {});
    const received = await this.#exchange(method, url, { ...input, streaming: true });
    if (/^(?:text\/event-stream|application\/x-ndjson)\b/.test(received.headers['content-type'] ?? ''))
      return received.body;
    throw await this.#refusal(received, url);
  }

  #addressOf(path: Route['path'], input: LooseInput): URL {
    // An address would lead elsewhere with these: `/stack/..` is `/`.
    for (const [name, value] of Object.entries(input.params ?? {}))
      if (value === '' || value === '.' || value === '..')
        throw wrongUsage(`"${value}" is no ${name.replaceAll('_', ' ')}.`);
    return new URL(addressOf(this.#tools.settings.api_url, { path }, input));
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
      if (received.status !== 429 || tries === maxTries || !(seconds <= longestPauseSeconds)) return received;
      received.body.resume();
      await pause(this.#tools.system.clock, Math.max(seconds, 0.1) * 1000, input.signal);
      input.signal?.throwIfAborted();
    }
  }

  async #once(method: string, url: URL, input: Asked, token: string): Promise<Received> {
    const { system, settings, trace } = this.#tools;
    const { body, signal, streaming } = input;
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'user-agent': 'alm' };
    for (const [name, value] of Object.entries(input.headers ?? {}))
      if (value !== undefined) headers[name] = asHeader(value);
    if (body !== undefined) headers['content-type'] = typeOf(body);
    const text = body === undefined ? undefined : isDocument(body) ? body.text : JSON.stringify(body);
    trace.asked(method, url, headers);
    const timeoutSeconds = input.timeoutSeconds ?? settings.timeout;
    const sent = { method, url, headers, body: text, signal, timeoutSeconds, streaming: streaming ?? false };
    const received = await (method === 'GET' ? send(system, sent) : this.#telling(sent));
    trace.answered(received);
    return received;
  }

  /** Ctrl-C leaves a change that was sent in doubt, which is said. */
  async #telling(sent: Sent): Promise<Received> {
    const { system } = this.#tools;
    const stop = new AbortController();
    const unlisten = system.onInterrupt(() => stop.abort());
    try {
      return await send(system, {
        ...sent,
        signal: AbortSignal.any([stop.signal, ...(sent.signal ? [sent.signal] : [])]),
      });
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new CliError('interrupted', 'Interrupted before there was an answer.', {
        hints: maybeDone(sent.method),
      });
    } finally {
      unlisten();
    }
  }

  async #accepted(received: Received, url: URL): Promise<Received> {
    const { status } = received;
    if (isSuccess(status)) return received;
    throw await this.#refusal(received, url);
  }

  async #refusal(received: Received, url: URL): Promise<Refused> {
    const { status, statusLine, headers } = received;
    const text = await textOf(received, url);
    this.#tools.trace.ended();
    const hints = status === 404 ? otherInterface(url.pathname) : [];
    return new Refused({ status, statusLine, text, headers, hints });
  }
}

/** Each version of the interface knows its own stacks alone. */
const otherInterface = (path: string): string[] => {
  const [, version] = /\/(v[23])\/alm\/(?:stack\/[^/]+(?:\/events(?:\/stream)?)?|pem)$/.exec(path) ?? [];
  if (version === undefined) return [];
  const other = version === 'v3' ? 'v2' : 'v3';
  return [`If the stack was made with ${other}: --apiver ${other}`];
};

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
