import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pause } from '../../basics/pause.ts';
import { addressOf, type CallInput, type LooseInput } from '../../contract/client.ts';
import type { Route, SuccessOf } from '../../contract/route.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Profile } from '../settings/settings.ts';
import type { System } from '../system.ts';
import { userAgent } from '../version.ts';
import { ApiError } from './api-error.ts';
import { type HttpResponse, isSuccess, maybeProcessed, readBody, send } from './http.ts';
import { notFoundHints } from './not-found-hints.ts';
import { encodeBody } from './request-body.ts';
import type { Trace } from './trace.ts';
import type { HttpRequest } from './transport.ts';

export interface Reply<Body> {
  status: number;
  /** `201 Created` */
  statusLine: string;
  headers: IncomingHttpHeaders;
  /** The unparsed body. */
  text: string;
  body: Body;
}

/** Source of access tokens. */
export interface TokenSource {
  token(): Promise<string>;
  /** Returns a new token after a 401 response, or null if there is no other token. */
  renew(rejected: string): Promise<string | null>;
}

interface ApiOptions {
  system: Pick<System, 'clock' | 'env' | 'onInterrupt'>;
  settings: Profile;
  tokens: TokenSource;
  trace: Trace;
}

const maxRetryAfterSeconds = 10;
const maxAttempts = 4;

/** Settings of one call. */
interface CallSettings {
  timeoutSeconds?: number;
  /** How the members of the body are sent; JSON unless the interface says otherwise. */
  encoding?: 'form';
}

interface ApiCall {
  method: string;
  url: URL;
  input: LooseInput & CallSettings & { streaming?: boolean };
}

/**
 * Client for the routes of the service. A call names its route only as a type argument,
 * `call<typeof listStacks>('GET', '/v3/alm/stack')`: the compiler checks method, path, input and response against the
 * contract, and the contract is not loaded at run time.
 */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  async call<R extends Route>(
    method: R['method'],
    path: R['path'],
    input?: CallInput<R> & CallSettings,
  ): Promise<Reply<SuccessOf<R>>> {
    const url = this.#addressOf(path, input ?? {});
    const response = await this.#exchange({ method, url, input: input ?? {} });
    const text = await readBody(response, url);
    this.#options.trace.done();
    const { status, statusLine, headers } = response;
    const body = parseBody(text);
    // Another server answers at this URL, or a gateway in between.
    if (body === null) throw new ApiError({ status, statusLine, text });
    // The contract defines the response of the route.
    return { status, statusLine, headers, text, body: body as SuccessOf<R> };
  }

  /** Calls any path of the service, for routes that this alm does not know. */
  async request(method: string, path: string, input: LooseInput & CallSettings): Promise<Reply<unknown>> {
    const url = new URL(addressOf(this.#options.settings.api_url, { path: path as Route['path'] }, input));
    const response = await this.#exchange({ method, url, input });
    const text = await readBody(response, url);
    this.#options.trace.done();
    const { status, statusLine, headers } = response;
    return { status, statusLine, headers, text, body: parseBody(text) };
  }

  /** Opens a streamed response. */
  async stream<R extends Route>(
    method: R['method'],
    path: R['path'],
    input?: CallInput<R>,
  ): Promise<IncomingMessage> {
    const url = this.#addressOf(path, input ?? {});
    const response = await this.#exchange({ method, url, input: { ...input, streaming: true } });
    if (/^(?:text\/event-stream|application\/x-ndjson)\b/.test(response.headers['content-type'] ?? ''))
      return response.body;
    throw await this.#toApiError(response, url);
  }

  #addressOf(path: Route['path'], input: LooseInput): URL {
    // These would change the path: `/stack/..` is `/`.
    for (const [name, value] of Object.entries(input.params ?? {}))
      if (value === '' || value === '.' || value === '..')
        throw usageError(`Invalid ${name.replaceAll('_', ' ')}: "${value}".`);
    return new URL(addressOf(this.#options.settings.api_url, { path }, input));
  }

  async #exchange(call: ApiCall): Promise<HttpResponse> {
    const { tokens } = this.#options;
    const token = await tokens.token();
    const first = await this.#sendWithRetry(call, token);
    if (first.status !== 401) return this.#requireSuccess(first, call.url);
    // Read the body: an unread response keeps its connection open, and the program running.
    const rejection = await this.#toApiError(first, call.url);
    const renewed = await tokens.renew(token);
    if (renewed === null) throw rejection;
    return this.#requireSuccess(await this.#sendWithRetry(call, renewed), call.url);
  }

  /** Retries a rejected request if the server says that it can soon. */
  async #sendWithRetry(call: ApiCall, token: string): Promise<HttpResponse> {
    const { signal } = call.input;
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#sendOnce(call, token);
      const seconds = retryAfterOf(call.method, response);
      if (attempt === maxAttempts || !(seconds <= maxRetryAfterSeconds)) return response;
      response.body.resume();
      await pause(this.#options.system.clock, Math.max(seconds, 0.1) * 1000, signal);
      signal?.throwIfAborted();
    }
  }

  async #sendOnce({ method, url, input }: ApiCall, token: string): Promise<HttpResponse> {
    const { system, settings, trace } = this.#options;
    const { body, signal, streaming = false, timeoutSeconds = settings.timeout } = input;
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'user-agent': userAgent };
    for (const [name, value] of Object.entries(input.headers ?? {}))
      if (value !== undefined) headers[name] = asHeader(value);
    const sent = body === undefined ? null : encodeBody(body, input.encoding);
    if (sent) headers['content-type'] = sent.contentType;
    trace.request(method, url, headers);
    const request = { method, url, headers, body: sent?.text, signal, timeoutSeconds, streaming };
    const response = await (method === 'GET' ? send(system, request) : this.#sendChange(request));
    trace.response(response);
    return response;
  }

  /** Sends a request that changes something. On Ctrl-C, says that the request may have been processed. */
  async #sendChange(request: HttpRequest): Promise<HttpResponse> {
    const { system } = this.#options;
    const interrupt = new AbortController();
    const unsubscribe = system.onInterrupt(() => interrupt.abort());
    try {
      return await send(system, {
        ...request,
        signal: AbortSignal.any([interrupt.signal, ...(request.signal ? [request.signal] : [])]),
      });
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      throw new CliError('interrupted', 'Interrupted before the response arrived.', {
        hints: maybeProcessed(request.method),
      });
    } finally {
      unsubscribe();
    }
  }

  async #requireSuccess(response: HttpResponse, url: URL): Promise<HttpResponse> {
    if (isSuccess(response.status)) return response;
    throw await this.#toApiError(response, url);
  }

  async #toApiError(response: HttpResponse, url: URL): Promise<ApiError> {
    const { status, statusLine, headers } = response;
    const text = await readBody(response, url);
    this.#options.trace.done();
    const hints = status === 404 ? notFoundHints(url, text) : [];
    return new ApiError({ status, statusLine, text, headers, hints });
  }
}

/**
 * Seconds until a retry; NaN if there is none. After 429 the request had no effect. A 503 may come from a gateway after the
 * server began, so only reading is repeated.
 */
const retryAfterOf = (method: string, { status, headers }: HttpResponse): number => {
  if (status === 429) return Number(headers['retry-after'] ?? 1);
  return status === 503 && method === 'GET' ? Number(headers['retry-after'] ?? Number.NaN) : Number.NaN;
};

const asHeader = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The JSON object or array; null for anything else. */
const parseBody = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};
