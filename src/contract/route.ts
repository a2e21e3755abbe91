import type { Static, TObject, TSchema } from 'typebox';
import type { Action } from '../model/actions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call a route. Required on every route; there is no default.
 *
 * - `public`: no token required.
 * - `agent`: a stack token or an API client token, for programs that run on instances.
 * - `self`: any signed-in user, for their own data.
 * - `master`: the master only, regardless of roles.
 * - `{ action }`: a signed-in user whose roles allow this action.
 */
export type Access = 'public' | 'agent' | 'self' | 'master' | { readonly action: Action };

/**
 * - `none`: the request body is ignored.
 * - `fields`: named members, as JSON or form-encoded.
 * - `document`: the text of a template (JSON, YAML or the form field `template`); the schema is documentation only.
 */
export type BodyKind = 'none' | 'fields' | 'document';

export interface DeclaredReply {
  readonly description: string;
  /** `null` when the reply has no JSON body. */
  readonly schema: TSchema | null;
  /** Set only when the reply is not JSON. With a schema: the type of a reply without a body. */
  readonly contentType?: string | readonly string[];
}

export interface Route {
  /** Unique; the operationId in the OpenAPI document. */
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
  /** Lower-case names. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodyKind: BodyKind;
  readonly replies: { readonly [status: number]: DeclaredReply };
  readonly examples?: { readonly body?: unknown; readonly reply?: unknown };
  /**
   * Token endpoints follow RFC 6749: its error codes, and `Cache-Control: no-store`. `registry`: with the errors of the registry's
   * API as well, and a Basic challenge.
   */
  readonly errorStyle?: 'oauth' | 'registry';
  /** The handler calls the vendor, which may not answer. */
  readonly asksVendor?: true;
  /** A public route that recognizes a caller who sends a token. */
  readonly takesToken?: true;
  /**
   * The operation gives lasting access, so a user must have proved the password (and the second factor) in the last 10 minutes.
   *
   * - `always`: with every token of a sign-in.
   * - `browser`: in a browser session only. Existing programs call these routes with a token of twelve hours.
   * - `others`: as `always`, if it is about another user; one's own needs the current password in the request.
   */
  readonly proof?: 'always' | 'browser' | 'others';
  /** A public route whose callers sign in with the request: those that succeed do not count to the limit of their address. */
  readonly countedAfterSignIn?: true;
  /** A GET that changes something: the cookie of a browser counts only with proof of its page. */
  readonly changesOnGet?: true;
  /**
   * Large replies are compressed if the caller accepts it. Only for replies without secrets, because the size of a compressed
   * text tells something about its content. `view`: those with this value of the query parameter `view`.
   */
  readonly compressed?: true | { readonly view: string };
  /** The reply has an `ETag`, and a caller that has the same text gets 304. */
  readonly tagged?: true;
  /** The connection is upgraded to a WebSocket instead of answered. */
  readonly webSocket?: true;
}

/** Infers the exact type of a route and rejects members that `Route` does not declare. */
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

/** Body of a successful reply. */
export type SuccessOf<R extends Route> = {
  [S in Extract<keyof R['replies'], SuccessStatus>]: BodyOfReply<R['replies'][S]>;
}[Extract<keyof R['replies'], SuccessStatus>];

/** A redirect is a success as well. */
export const successStatus = (replies: Route['replies']): number =>
  Object.keys(replies)
    .map(Number)
    .toSorted((a, b) => a - b)
    .find((status) => status >= 200 && status < 400) ?? 200;

/** Names in braces, in order. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
