import type { Static, TObject, TSchema } from 'typebox';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call a route. Every route says so; there is no default.
 *
 * - `public`: no token is asked for.
 * - `agent`: a stack's own token (or an API client's), for what runs on the instances.
 * - `self`: any signed-in user, about themselves.
 * - `master`: only the master account, whatever roles others hold.
 * - `{ action }`: a signed-in user whose roles allow this action.
 */
export type Access = 'public' | 'agent' | 'self' | 'master' | { readonly action: string };

/**
 * - `none`: the route reads no body.
 * - `fields`: named members, as JSON or form-encoded.
 * - `document`: a template's own text (JSON, YAML or a form field `template`); the schema only documents it.
 */
export type BodyKind = 'none' | 'fields' | 'document';

export interface DeclaredReply {
  readonly description: string;
  /** `null` where the reply has no JSON body. */
  readonly schema: TSchema | null;
  /** Only where the reply is not JSON. */
  readonly contentType?: string;
}

export interface Route {
  /** Unique; the operationId of the OpenAPI document. */
  readonly name: string;
  readonly method: Method;
  /** In OpenAPI form: `/v3/alm/stack/{stack_id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Names in lower case. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodyKind: BodyKind;
  readonly replies: { readonly [status: number]: DeclaredReply };
  readonly examples?: { readonly body?: unknown; readonly reply?: unknown };
  /** The token endpoints speak RFC 6749: its error words, and nothing may be cached. */
  readonly errorStyle?: 'oauth';
}

/** Gives a route its exact type, and refuses members a route does not have. */
export const route = <const R extends Route>(
  definition: R & { [Unknown in Exclude<keyof R, keyof Route>]: never },
): R => definition;

export interface DocumentBody {
  text: string;
  format: 'json' | 'yaml';
}

type Nothing = Record<never, never>;

export type ParamsOf<R extends Route> = R extends { params: infer S extends TSchema } ? Static<S> : Nothing;
export type QueryOf<R extends Route> = R extends { query: infer S extends TSchema } ? Static<S> : Nothing;
export type HeadersOf<R extends Route> = R extends { headers: infer S extends TSchema } ? Static<S> : Nothing;

export type BodyOf<R extends Route> = R['bodyKind'] extends 'document'
  ? DocumentBody
  : R extends { bodyKind: 'fields'; body: infer S extends TSchema }
    ? Static<S>
    : null;

type SuccessStatus = 200 | 201 | 202 | 204;
type BodyOfReply<D> = D extends { schema: infer S extends TSchema } ? Static<S> : null;

/** What a successful call answers. */
export type SuccessOf<R extends Route> = {
  [S in Extract<keyof R['replies'], SuccessStatus>]: BodyOfReply<R['replies'][S]>;
}[Extract<keyof R['replies'], SuccessStatus>];

export const successStatus = (replies: Route['replies']): number =>
  Object.keys(replies)
    .map(Number)
    .toSorted((a, b) => a - b)
    .find((status) => status >= 200 && status < 300) ?? 200;

/** The names in braces, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
