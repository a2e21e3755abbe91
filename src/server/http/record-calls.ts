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
];

/** Other values are not identifiers, and might be secrets that must not be recorded. */
const isIdentifier = (value: unknown, name: string): value is string =>
  typeof value === 'string' &&
  (name === 'image_id' ? /^[\w./:@+=-]{1,700}$/ : /^[\w.@-]{1,128}$/).test(value);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

/** Only members that the route declares count: undeclared members must not falsify the record. */
const declared = (schema: unknown, name: string): boolean =>
  memberOf(memberOf(schema, 'properties'), name) !== undefined;

const namedBy = (route: Route, { params, query, body }: ReceivedRequest, name: string): string | null => {
  const fields = body?.kind === 'json' ? body.value : body?.kind === 'form' ? body.fields : undefined;
  const value = [
    memberOf(params, name),
    declared(route.body, name) ? memberOf(fields, name) : undefined,
    declared(route.query, name) ? memberOf(query, name) : undefined,
  ].find((each) => each !== undefined && each !== '');
  return isIdentifier(value, name) ? value : null;
};

const namedParts = (route: Route, request: ReceivedRequest): ReadonlyMap<string, string> =>
  new Map(
    names.flatMap((name): [string, string][] => {
      const value = namedBy(route, request, name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Records a call before its reply is sent, so that a caller who has a reply finds it in the audit log. */
export const recordCalls = <A>(
  route: Route,
  audit: ((call: AuditedCall<A>) => Promise<void>) | undefined,
  actorOf: (request: ReceivedRequest) => A | undefined,
) => {
  // If recording fails, the error reply runs this hook again.
  const recorded = new WeakSet<ReceivedRequest>();
  return async (request: ReceivedRequest, reply: ReceivedReply): Promise<void> => {
    const actor = actorOf(request);
    if (!audit || actor === undefined || route.access === 'public' || recorded.has(request)) return;
    recorded.add(request);
    await audit({
      actor,
      route,
      stackId: namedBy(route, request, 'stack_id'),
      named: namedParts(route, request),
      readOnly: route.method === 'GET',
      denied: request.failure?.denied ?? false,
      status: reply.statusCode,
      request: factsOf(request),
    });
  };
};
