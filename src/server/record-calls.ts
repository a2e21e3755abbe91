import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../contract/route.ts';
import type { RequestFacts } from './binding.ts';
import type { Received } from './input.ts';

/** One call by somebody known, and how it ended. No bodies and no queries: secrets travel in both. */
export interface AuditedCall<A> {
  actor: A;
  route: Route;
  /** The stack the call names, wherever it does. */
  stackId: string | null;
  /** Nothing is changed by it. */
  readOnly: boolean;
  status: number;
  request: RequestFacts;
}

type ReceivedRequest = FastifyRequest<Received>;
type ReceivedReply = FastifyReply<Received>;

/** Anything longer or stranger is no stack's id, and might be something that must not be kept. */
const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.-]{1,128}$/.test(value);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

const namedStack = ({ params, query, body }: ReceivedRequest): string | null => {
  const fields = body?.kind === 'json' ? body.value : body?.kind === 'form' ? body.fields : undefined;
  const named = [params, query, fields].map((part) => memberOf(part, 'stack_id'));
  return named.find(isIdentifier) ?? null;
};

/** Agents report every few seconds, and what they report is kept as events; the public says nothing of who it is. */
const isAudited = ({ access }: Route): boolean => access !== 'public' && access !== 'agent';

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
    if (!audit || actor === undefined || !isAudited(route) || recorded.has(request)) return;
    recorded.add(request);
    await audit({
      actor,
      route,
      stackId: namedStack(request),
      readOnly: route.method === 'GET',
      status: reply.statusCode,
      request: { id: request.id, address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    });
  };
};
