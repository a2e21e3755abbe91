import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../contract/route.ts';
import type { RequestFacts } from './binding.ts';
import { factsOf, type Received } from './input.ts';

/** An authenticated call and its result. Bodies and queries may contain secrets, so only known identifiers are taken from them. */
export interface AuditedCall<A> {
  actor: A;
  route: Route;
  /** The stack the request is about, from the path, the body or the query. */
  stackId: string | null;
  /** Other identifiers in the request, by member name. */
  named: ReadonlyMap<string, string>;
  /** Whether the call only reads. */
  readOnly: boolean;
  /** Whether access was denied, even if the reply says "not found". */
  denied: boolean;
  status: number;
  request: RequestFacts;
  detail?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** If recording fails, the error reply runs the hook again. */
    isRecorded: boolean;
    /** What the handler adds to the record of a call that succeeds. Empty: nothing. */
    auditDetail: string;
  }
}

type ReceivedRequest = FastifyRequest<Received>;
type ReceivedReply = FastifyReply<Received>;

/** Members to record. All others are ignored. */
const names = [
  'username',
  'role_id',
  'client_id',
  'token_id',
  'container_id',
  'vendor',
  'credential_id',
  'image_id',
  'data_id',
  'secret_name',
  'passkey_id',
];

/** Other values are not identifiers, and might be secrets that must not be recorded. */
const isIdentifier = (value: unknown, name: string): value is string =>
  typeof value === 'string' &&
  (name === 'image_id' ? /^[\w./:@+=-]{1,700}$/ : /^[\w.@-]{1,128}$/).test(value);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

type Place = (request: ReceivedRequest) => unknown;

const fieldsOf: Place = ({ body }) =>
  body?.kind === 'json' ? body.value : body?.kind === 'form' ? body.fields : undefined;

/** Only members that the route declares count: undeclared members must not falsify the record. */
const placesOf = (route: Route, name: string): Place[] => {
  const declared = (schema: unknown): boolean => memberOf(memberOf(schema, 'properties'), name) !== undefined;
  const inPath: Place[] = route.path.includes(`{${name}}`) ? [({ params }) => params] : [];
  const inBody: Place[] = declared(route.body) ? [fieldsOf] : [];
  const inQuery: Place[] = declared(route.query) ? [({ query }) => query] : [];
  return [...inPath, ...inBody, ...inQuery];
};

type Finder = (request: ReceivedRequest) => string | null;

const finderOf = (route: Route, name: string): Finder | null => {
  const places = placesOf(route, name);
  if (places.length === 0) return null;
  return (request) => {
    const value = places
      .map((place) => memberOf(place(request), name))
      .find((each) => each !== undefined && each !== '');
    return isIdentifier(value, name) ? value : null;
  };
};

/** Finds what a request names; prepared once for each route. */
const namedParts = (route: Route): ((request: ReceivedRequest) => ReadonlyMap<string, string>) => {
  const finders = names.flatMap((name): [string, Finder][] => {
    const finder = finderOf(route, name);
    return finder ? [[name, finder]] : [];
  });
  return (request) =>
    new Map(
      finders.flatMap(([name, find]): [string, string][] => {
        const value = find(request);
        return value === null ? [] : [[name, value]];
      }),
    );
};

/** If it returns nothing, there is nothing to wait for. */
export type Recorder = (request: ReceivedRequest, reply: ReceivedReply) => void | Promise<void>;

/** Records a call before its reply is sent, so that a caller who has a reply finds it in the audit log. */
export const recordCalls = <A>(
  route: Route,
  audit: ((call: AuditedCall<A>) => void | Promise<void>) | undefined,
): Recorder => {
  if (!audit || route.access === 'public') return () => {};
  const [findStackId, findNamed] = [finderOf(route, 'stack_id'), namedParts(route)];
  return (request, reply) => {
    if (request.actor === null || request.isRecorded) return;
    request.isRecorded = true;
    return audit({
      actor: request.actor as A,
      route,
      stackId: findStackId?.(request) ?? null,
      named: findNamed(request),
      readOnly: route.method === 'GET',
      denied: request.failure?.denied ?? false,
      status: reply.statusCode,
      request: factsOf(request),
      ...(reply.statusCode < 400 && request.auditDetail !== '' ? { detail: request.auditDetail } : {}),
    });
  };
};
