import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../contract/route.ts';
import type { RequestFacts } from './binding.ts';
import type { Received } from './input.ts';

/** One call by somebody known, and how it ended. Of bodies and queries only what is named in them: secrets travel in both. */
export interface AuditedCall<A> {
  actor: A;
  route: Route;
  /** The stack the call names, wherever it does. */
  stackId: string | null;
  /** The other things it names, by the member that does. */
  named: ReadonlyMap<string, string>;
  /** Nothing is changed by it. */
  readOnly: boolean;
  /** Access was refused, whatever the caller is told. */
  denied: boolean;
  status: number;
  request: RequestFacts;
}

type ReceivedRequest = FastifyRequest<Received>;
type ReceivedReply = FastifyReply<Received>;

/** Whatever else a request holds is not looked at. */
const names = ['username', 'role_id', 'client_id', 'token_id', 'container_id', 'vendor', 'credential_id'];

/** Anything longer or stranger is nobody's name, and might be something that must not be kept. */
const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.@-]{1,128}$/.test(value);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

/** Only what the route reads: a member it does not know must not make the record say something else. */
const declared = (schema: unknown, name: string): boolean =>
  memberOf(memberOf(schema, 'properties'), name) !== undefined;

const namedBy = (route: Route, { params, query, body }: ReceivedRequest, name: string): string | null => {
  const fields = body?.kind === 'json' ? body.value : body?.kind === 'form' ? body.fields : undefined;
  const given = [
    memberOf(params, name),
    declared(route.body, name) ? memberOf(fields, name) : undefined,
    declared(route.query, name) ? memberOf(query, name) : undefined,
  ].find((value) => value !== undefined && value !== '');
  return isIdentifier(given) ? given : null;
};

const namedParts = (route: Route, request: ReceivedRequest): ReadonlyMap<string, string> =>
  new Map(
    names.flatMap((name): [string, string][] => {
      const value = namedBy(route, request, name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Runs before the answer is sent: whoever is told that something was done can find it recorded. */
export const recordCalls = <A>(
  route: Route,
  audit: ((call: AuditedCall<A>) => Promise<void>) | undefined,
  actorOf: (request: ReceivedRequest) => A | undefined,
) => {
  // When recording fails, the failure is an answer too, and comes here again.
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
      request: { id: request.id, address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    });
  };
};
