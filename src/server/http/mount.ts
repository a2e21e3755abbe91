import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import { type Route, successStatus } from '../../contract/route.ts';
import { basicCredentials, bearerToken } from './authorization.ts';
import { type Binding, noBody, RawReply, Reply, type RequestFacts } from './binding.ts';
import { inputChecker, type Received } from './input.ts';
import { isLimited, type RateLimits } from './rate-limit.ts';
import { type AuditedCall, recordCalls } from './record-calls.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    actorName: string | null;
  }
}

export type ApiVersion = 'v2' | 'v3';

/** What a request is about, as far as its address tells. */
export interface RequestSubject {
  version: ApiVersion;
  stackId: string | undefined;
}

/** Who is calling and may they: both are decided outside, the server only asks at the right moment. */
export interface AccessRules<A> {
  /** `null` when the token is nobody's. */
  authenticate(bearerToken: string, request: RequestFacts): Promise<A | null>;
  /** Throws a `forbidden` failure when the actor may not use the route. */
  authorize(actor: A, route: Route, subject: RequestSubject): void | Promise<void>;
  /** What the log calls the actor. */
  nameActor(actor: A): string;
  /** Nobody is limited when absent. */
  limits?: RateLimits<A>;
  /** Told of every call by somebody known, when its answer is decided and before it is sent. */
  audit?: (call: AuditedCall<A>) => Promise<void>;
}

type ReceivedRequest = FastifyRequest<Received>;

const factsOf = (request: ReceivedRequest): RequestFacts => ({
  id: request.id,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

const versionOf = (route: Route): ApiVersion => (route.path.startsWith('/v2/') ? 'v2' : 'v3');

const identify = async <A>(rules: AccessRules<A>, request: ReceivedRequest): Promise<A> => {
  const token = bearerToken(request.headers.authorization);
  const actor = token === null ? null : await rules.authenticate(token, factsOf(request));
  if (actor !== null) return actor;
  rules.limits?.countStranger(request.ip);
  if (token === null)
    throw new Failure('unauthorized', 'An access token is required', {
      description: 'Send it as Authorization: Bearer <token>.',
    });
  throw new Failure('unauthorized', 'The access token is not valid or has expired', {
    description: 'Ask the token endpoint for a new one.',
  });
};

const stackIdOf = ({ params, query }: ReceivedRequest): string | undefined => {
  const id = params['stack_id'] ?? query['stack_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** Runs before the body is read, so strangers cannot make us read one. */
const admit =
  <A>(route: Route, rules: AccessRules<A>, actors: WeakMap<ReceivedRequest, A>) =>
  async (request: ReceivedRequest): Promise<void> => {
    if (route.access === 'public') {
      if (isLimited(route)) rules.limits?.countStranger(request.ip);
      return;
    }
    const actor = await identify(rules, request);
    rules.limits?.countActor(actor, route);
    actors.set(request, actor);
    request.actorName = rules.nameActor(actor);
    await rules.authorize(actor, route, { version: versionOf(route), stackId: stackIdOf(request) });
  };

const sendJson = (reply: FastifyReply, body: unknown): FastifyReply =>
  body === noBody ? reply.send() : reply.type('application/json; charset=utf-8').send(JSON.stringify(body));

const send = (reply: FastifyReply, result: unknown): FastifyReply => {
  if (!(result instanceof Reply) && !(result instanceof RawReply)) return sendJson(reply, result);
  reply.headers(result.headers);
  if (result.status !== undefined) reply.code(result.status);
  if (result instanceof Reply) return sendJson(reply, result.body);
  const { contentType, body } = result;
  const isUnwanted = reply.request.method === 'HEAD' && body instanceof Readable;
  // Nobody would read it, so nobody would ever end it either.
  if (isUnwanted) body.destroy();
  return reply.type(contentType).send(isUnwanted ? '' : body);
};

const serve = <A>({ route, handler }: Binding<A>, actors: WeakMap<ReceivedRequest, A>) => {
  const check = inputChecker(route);
  const status = successStatus(route.replies);
  return async (request: ReceivedRequest, reply: FastifyReply<Received>): Promise<FastifyReply> => {
    const input = check(request);
    const result = await handler({
      ...input,
      actor: actors.get(request) ?? null,
      basic: route.access === 'public' ? basicCredentials(request.headers.authorization) : null,
      request: factsOf(request),
      setHeader: (name, value) => void reply.header(name, value),
    });
    reply.code(status);
    if (route.errorStyle === 'oauth') reply.header('cache-control', 'no-store');
    return send(reply, result);
  };
};

/** Serves one bound route. */
export const mount = <A>(app: FastifyInstance, binding: Binding<A>, rules: AccessRules<A>): void => {
  const actors = new WeakMap<ReceivedRequest, A>();
  app.route<Received>({
    method: binding.route.method,
    url: binding.route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route: binding.route },
    onRequest: admit(binding.route, rules, actors),
    onSend: recordCalls(binding.route, rules.audit, (request) => actors.get(request)),
    handler: serve(binding, actors),
  });
};
