import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, Route, SuccessOf } from '../../contract/route.ts';
import type { BasicCredentials } from './authorization.ts';
import type { JsonText } from './send/json-text.ts';

/** Facts about a request for logs and the audit log. */
export interface RequestFacts {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
}

interface Input<Parts extends InputParts> {
  readonly actor: Parts['actor'];
  /** HTTP Basic credentials; public routes only, where API clients may authenticate this way. */
  readonly basic: BasicCredentials | null;
  /** Token of the caller, if it sent one; only public routes that take one. */
  readonly token: string | null;
  readonly params: Parts['params'];
  readonly query: Parts['query'];
  readonly headers: Parts['headers'];
  readonly body: Parts['body'];
  readonly request: RequestFacts;
  /** Only routes that are counted after the sign-in: counts the caller to the limit of its account; null: it has none. */
  readonly signedIn: (actor: unknown) => void | Promise<void>;
  /** Whether the caller closed the connection: long work for it can end. */
  readonly hasLeft: () => boolean;
  readonly setHeader: (name: string, value: string) => void;
  /** Adds it to the audit log if the call succeeds. */
  readonly setAuditDetail: (text: string) => void;
}

interface InputParts {
  actor: unknown;
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** Reply with the success status of the route and an empty body. */
export class NoBody {
  readonly bytes = 0;
}
export const noBody = new NoBody();

type HeaderValues = Readonly<Record<string, string | string[]>>;

/** JSON reply with a specific status or headers. */
export class Reply<T> {
  readonly status: number | undefined;
  readonly headers: HeaderValues;
  readonly body: T | NoBody;

  constructor(parts: { status?: number; headers?: HeaderValues; body: T | NoBody }) {
    this.status = parts.status;
    this.headers = parts.headers ?? {};
    this.body = parts.body;
  }
}

/** Reply that is sent unchanged, not as JSON. */
export class RawReply {
  readonly status: number | undefined;
  readonly headers: HeaderValues;
  readonly contentType: string;
  readonly body: string | Buffer | Readable;

  constructor(parts: {
    status?: number;
    headers?: HeaderValues;
    contentType: string;
    body: string | Buffer | Readable;
  }) {
    this.status = parts.status;
    this.headers = parts.headers ?? {};
    this.contentType = parts.contentType;
    this.body = parts.body;
  }
}

/**
 * Reply that goes on until one side ends it. It is written to the connection directly: a stream and its pipe would take more
 * memory than the rest of the connection, and thousands may be open.
 */
export class EndlessReply {
  readonly headers: HeaderValues;
  readonly contentType: string;
  /** Called once, when the headers are sent. */
  readonly start: (connection: ServerResponse, onError: (error: Error) => void) => void;
  /** Called instead of `start` if the caller wants the headers only or left. */
  readonly cancel: () => void;

  constructor(parts: Pick<EndlessReply, 'headers' | 'contentType' | 'start' | 'cancel'>) {
    this.headers = parts.headers;
    this.contentType = parts.contentType;
    this.start = parts.start;
    this.cancel = parts.cancel;
  }
}

export const reply = <T>(parts: ConstructorParameters<typeof Reply<T>>[0]): Reply<T> => new Reply(parts);
export const rawReply = (parts: ConstructorParameters<typeof RawReply>[0]): RawReply => new RawReply(parts);

type HandlerResult<Body> = Body | JsonText<Body> | NoBody | Reply<Body> | RawReply | EndlessReply;

interface HandlerTypes<R extends Route, A> {
  input: Input<{
    actor: R['access'] extends 'public' ? null : A;
    params: ParamsOf<R>;
    query: QueryOf<R>;
    headers: HeadersOf<R>;
    body: BodyOf<R>;
  }>;
  handler: (
    input: HandlerTypes<R, A>['input'],
  ) => HandlerResult<SuccessOf<R>> | Promise<HandlerResult<SuccessOf<R>>>;
}

/** Read from an interface, so that TypeScript compares inputs and results: two routes with the same can share a handler. */
export type Handler<R extends Route, A> = HandlerTypes<R, A>['handler'];

/** A route and its handler, with the types of the route erased so that all bindings fit in one list. */
export interface Binding<A> {
  readonly route: Route;
  readonly handler: (input: Input<InputParts & { actor: A | null }>) => unknown;
}

/**
 * Joins a route and its handler. `mount` validates the input against the route before it calls the handler. The type of
 * the actor is a separate parameter so that the handler's types can be inferred: `const bind = bindFor<Actor>()`.
 */
export const bindFor =
  <A>() =>
  <R extends Route>(route: R, handler: Handler<R, A>): Binding<A> => ({
    route,
    handler: handler as unknown as Binding<A>['handler'],
  });

/** `listStacks` for the routes `v2ListStacks` and `v3ListStacks`, so that both versions can share a handler. */
type HandlerName<Name extends string> = Name extends `v${2 | 3}${infer Rest}` ? Uncapitalize<Rest> : Name;

const handlerName = (route: Route): string =>
  route.name.replace(/^v[23](.)/, (_, initial: string) => initial.toLowerCase());

/** One handler for each route of a table, by name. A route that becomes a WebSocket has none. */
export type Handlers<Routes extends readonly Route[], A> = {
  [R in Exclude<Routes[number], { webSocket: true }> as HandlerName<R['name']>]: Handler<R, A>;
};

/**
 * Binds a table of routes to their handlers. A route without a handler does not compile, nor does a handler without a
 * route.
 */
export const bindAllFor =
  <A>() =>
  <const Routes extends readonly Route[], H extends Handlers<Routes, A>>(
    routes: Routes,
    handlers: H & { [Unknown in Exclude<keyof H, keyof Handlers<Routes, A>>]: never },
  ): Binding<A>[] => {
    const byName = new Map<string, unknown>(Object.entries(handlers));
    return routes
      .filter((route) => !route.webSocket)
      .map((route) => ({ route, handler: byName.get(handlerName(route)) as Binding<A>['handler'] }));
  };
