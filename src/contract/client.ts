import type { ErrorBody } from './error-body.ts';
import type { BodyOf, DocumentBody, HeadersOf, ParamsOf, QueryOf, Route, SuccessOf } from './route.ts';

interface FailedReply {
  status: number;
  body: ErrorBody | null;
  message: string;
  requestId: string | null;
}

/** The service replied with an error, or with a body that is not JSON. */
export class CallFailed extends Error {
  readonly status: number;
  /** `null` when the reply is not an error body of the service, such as an error page of a proxy. */
  readonly body: ErrorBody | null;
  readonly requestId: string | null;

  constructor(reply: FailedReply) {
    super(reply.message);
    this.name = 'CallFailed';
    this.status = reply.status;
    this.body = reply.body;
    this.requestId = reply.requestId;
  }
}

export interface ClientOptions {
  /** Base URL of the service, with or without a trailing slash. */
  url: string;
  token?: string | (() => string | undefined);
  fetch?: typeof globalThis.fetch;
}

// A part of the input is optional when all of its members are optional.
type Part<Name extends string, T> = [T] extends [null]
  ? unknown
  : Record<never, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T };

export type CallInput<R extends Route> = Part<'params', ParamsOf<R>> &
  Part<'query', QueryOf<R>> &
  Part<'headers', HeadersOf<R>> &
  Part<'body', BodyOf<R>> & { signal?: AbortSignal };

type CallArguments<R extends Route> =
  Record<never, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Client {
  /** Calls a route. Returns the body of the success reply or throws `CallFailed`. */
  call<R extends Route>(route: R, ...input: CallArguments<R>): Promise<SuccessOf<R>>;
  /** Like `call`, with status and headers, for paging through lists. */
  exchange<R extends Route>(route: R, ...input: CallArguments<R>): Promise<Answer<SuccessOf<R>>>;
}

/** Input of a call when the route type is not known. */
export interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** URL of a call: the path with its parameters, and the query string. */
export const addressOf = (base: string, route: Pick<Route, 'path'>, input: LooseInput): string => {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(text(input.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, text(one));
    }
  }
  return `${base.replace(/\/+$/, '')}${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
};

/** Whether a body is the text of a template, which is sent unchanged. */
export const isDocument = (body: unknown): body is DocumentBody =>
  typeof body === 'object' && body !== null && 'text' in body && 'format' in body;

const encodeBody = (route: Route, body: unknown): { type: string; text: string } | null => {
  if (route.bodyKind === 'none' || body === undefined || body === null) return null;
  if (route.bodyKind === 'document' && isDocument(body))
    return { type: body.format === 'yaml' ? 'application/x-yaml' : 'application/json', text: body.text };
  return { type: 'application/json', text: JSON.stringify(body) };
};

const requestOf = (route: Route, input: LooseInput, token: string | undefined): RequestInit => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined) headers.set(name, text(value));
  }
  if (token && route.access !== 'public') headers.set('authorization', `Bearer ${token}`);
  const body = encodeBody(route, input.body);
  if (body) headers.set('content-type', body.type);
  return {
    method: route.method,
    headers,
    ...(body ? { body: body.text } : {}),
    ...(input.signal ? { signal: input.signal } : {}),
  };
};

const parsed = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

export const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

const read = async (route: Route, response: Response): Promise<unknown> => {
  const content = await response.text();
  const requestId = response.headers.get('x-request-id');
  const where = `${route.method} ${route.path}`;
  if (!response.ok) {
    const body = parsed(content);
    const known = isErrorBody(body) ? body : null;
    const message = known?.message ?? `${where} returned status ${response.status}`;
    throw new CallFailed({ status: response.status, body: known, message, requestId });
  }
  if (content === '') return null;
  const declared = route.replies[response.status];
  if (declared?.contentType && !declared.schema) return content;
  const value = parsed(content);
  if (value === undefined) {
    const message = `${where} returned a response that is not JSON`;
    throw new CallFailed({ status: response.status, body: null, message, requestId });
  }
  return value;
};

/** Client for any route of the tables. Depends on `fetch` only, so it runs in Node and in browsers. */
export const createClient = (options: ClientOptions): Client => {
  const exchange = async (route: Route, input: LooseInput = {}): Promise<Answer<unknown>> => {
    // Looked up on every call: browsers reject a `fetch` that is detached from its window.
    const fetch = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
    const token = typeof options.token === 'function' ? options.token() : options.token;
    const response = await fetch(addressOf(options.url, route, input), requestOf(route, input, token));
    return { status: response.status, headers: response.headers, body: await read(route, response) };
  };
  return {
    call: async (route: Route, input?: LooseInput) => (await exchange(route, input)).body,
    exchange,
  } as Client;
};
