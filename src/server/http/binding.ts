import type { Readable } from 'node:stream';
import type { BodyOf, HeadersOf, ParamsOf, QueryOf, Route, SuccessOf } from '../../contract/route.ts';
import type { BasicCredentials } from './authorization.ts';

export interface RequestFacts {
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
}

export interface HandlerInput<R extends Route, A> {
  readonly actor: R['access'] extends 'public' ? null : A;
  /** HTTP Basic credentials, on public routes only: clients may name themselves this way. */
  readonly basic: BasicCredentials | null;
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly headers: HeadersOf<R>;
  readonly body: BodyOf<R>;
  readonly request: RequestFacts;
  readonly setHeader: (name: string, value: string) => void;
}

/** Answer with the route's success status and a body of no bytes. */
export class NoBody {
  readonly bytes = 0;
}
export const noBody = new NoBody();

type HeaderValues = Readonly<Record<string, string>>;

/** A JSON answer with its own status or headers. */
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

/** An answer sent as it is, not as JSON. */
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

export const reply = <T>(parts: ConstructorParameters<typeof Reply<T>>[0]): Reply<T> => new Reply(parts);
export const rawReply = (parts: ConstructorParameters<typeof RawReply>[0]): RawReply => new RawReply(parts);

export type HandlerResult<R extends Route> = SuccessOf<R> | NoBody | Reply<SuccessOf<R>> | RawReply;

export type Handler<R extends Route, A> = (
  input: HandlerInput<R, A>,
) => HandlerResult<R> | Promise<HandlerResult<R>>;

/** A route and what serves it, with the route's own types forgotten so that bindings fit in one list. */
export interface Binding<A> {
  readonly route: Route;
  readonly handler: (input: ErasedInput<A>) => unknown;
}

export interface ErasedInput<A> {
  readonly actor: A | null;
  readonly basic: BasicCredentials | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly request: RequestFacts;
  readonly setHeader: (name: string, value: string) => void;
}

/**
 * Joins a route and its handler; the input is checked by the route before the handler sees it. The actor's
 * type comes first and alone, so that handlers written in place know it: `const bind = bindFor<Actor>()`.
 */
export const bindFor =
  <A>() =>
  <R extends Route>(route: R, handler: Handler<R, A>): Binding<A> => ({
    route,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is forgotten here, `mount` checks
    handler: handler as unknown as Binding<A>['handler'],
  });
