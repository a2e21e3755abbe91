import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import { type Route, successStatus } from '../../contract/route.ts';
import { isRateLimited } from '../../contract/statuses.ts';
import { hasBearerScheme, parseBasicCredentials, parseBearerToken } from './authorization.ts';
import {
  type Binding,
  EndlessReply,
  JsonText,
  noBody,
  RawReply,
  Reply,
  type RequestFacts,
} from './binding.ts';
import { compressJson, mayCompress } from './compress-json.ts';
import { factsOf, inputChecker, type Received } from './input.ts';
import type { RateLimits } from './rate-limit.ts';
import { refuseUnreadableRequest } from './readable-text.ts';
import { type AuditedCall, recordCalls } from './record-calls.ts';
import { cookieToken } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
  interface FastifyRequest {
    actorName: string | null;
  }
}

type ApiVersion = 'v2' | 'v3';

/** Subject of a request, as far as its URL shows. */
interface RequestSubject {
  version: ApiVersion;
  stackId: string | undefined;
}

/** Authentication and authorization, provided by the caller of the server. */
export interface AccessRules<A> {
  /** Resolves to `null` if the token is invalid. */
  authenticate(token: string, request: RequestFacts): Promise<A | null>;
  /** Throws a `forbidden` failure if the actor may not use the route. */
  authorize(actor: A, route: Route, subject: RequestSubject): void | Promise<void>;
  /** Name of the actor in the log. */
  nameActor(actor: A): string;
  /** Public URL of this server, to recognize its own pages. Absent: cookies never count. */
  baseUrl?: () => string;
  /** No limits if absent. */
  limits?: RateLimits<A>;
  /** Called for every authenticated call, after its reply is decided and before it is sent. */
  audit?: (call: AuditedCall<A>) => Promise<void>;
}

type ReceivedRequest = FastifyRequest<Received>;

const versionOf = (route: Route): ApiVersion => (route.path.startsWith('/v2/') ? 'v2' : 'v3');

/** The tokens of a suspended account have no limit of their own: they count like invalid ones. */
const countSuspended =
  <A>({ limits }: AccessRules<A>, { ip }: ReceivedRequest) =>
  (error: unknown): never => {
    if (error instanceof Failure && error.kind === 'account_suspended') limits?.countAnonymous(ip);
    throw error;
  };

/**
 * A token in the header wins over a cookie: a program says what it means. Other schemes do not count: browsers send name and
 * password to a proxy in the same header.
 */
const tokenOf = <A>(
  { baseUrl }: AccessRules<A>,
  route: Route,
  { headers }: ReceivedRequest,
): string | null =>
  baseUrl && !hasBearerScheme(headers.authorization)
    ? cookieToken(route, headers, baseUrl())
    : parseBearerToken(headers.authorization);

const identify = async <A>(rules: AccessRules<A>, route: Route, request: ReceivedRequest): Promise<A> => {
  const token = tokenOf(rules, route, request);
  const authenticated = token === null ? null : rules.authenticate(token, factsOf(request));
  const actor = (await authenticated?.catch(countSuspended(rules, request))) ?? null;
  if (actor !== null) return actor;
  rules.limits?.countAnonymous(request.ip);
  if (token === null)
    throw new Failure('unauthorized', 'An access token is required', {
      description: 'Send it in the header Authorization: Bearer <token>.',
    });
  throw new Failure('unauthorized', 'The access token is invalid or expired', {
    description: 'Request a new token from the token endpoint.',
  });
};

const stackIdOf = ({ params, query }: ReceivedRequest): string | undefined => {
  const id = params['stack_id'] ?? query['stack_id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** The caller of a public route that takes a token. Null: nobody; if the token is refused, the handler says so. */
const recognize = async <A>(
  rules: AccessRules<A>,
  route: Route,
  request: ReceivedRequest,
): Promise<A | null> => {
  try {
    const token = route.takesToken ? tokenOf(rules, route, request) : null;
    return token === null ? null : await rules.authenticate(token, factsOf(request));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
};

/** Signed-in users have the limit of their account on public routes too: many may share one address. */
const countPublic = async <A>(
  rules: AccessRules<A>,
  route: Route,
  request: ReceivedRequest,
): Promise<void> => {
  if (!rules.limits || !isRateLimited(route)) return;
  const actor = await recognize(rules, route, request);
  if (actor === null) rules.limits.countAnonymous(request.ip);
  else await rules.limits.countActor(actor, route);
};

/** Runs before the body is read, so that unauthenticated callers cannot make the server read it. */
const admit =
  <A>(route: Route, rules: AccessRules<A>, actors: WeakMap<ReceivedRequest, A>) =>
  async (request: ReceivedRequest): Promise<void> => {
    if (route.access === 'public') {
      await countPublic(rules, route, request);
      refuseUnreadableRequest(request);
      return;
    }
    const actor = await identify(rules, route, request);
    await rules.limits?.countActor(actor, route);
    actors.set(request, actor);
    request.actorName = rules.nameActor(actor);
    refuseUnreadableRequest(request);
    await rules.authorize(actor, route, { version: versionOf(route), stackId: stackIdOf(request) });
  };

const sendJson = async (reply: FastifyReply<Received>, body: unknown): Promise<FastifyReply> => {
  const { route } = reply.request.routeOptions.config;
  const isCompressed = route !== undefined && mayCompress(route, reply.request.query);
  if (body === noBody) return (isCompressed ? reply.header('vary', 'Accept-Encoding') : reply).send();
  const json = body instanceof JsonText ? body : new JsonText(JSON.stringify(body));
  if (route?.tagged && isKnown(reply, json)) {
    if (isCompressed) reply.header('vary', 'Accept-Encoding');
    return reply.code(304).send();
  }
  reply.type('application/json; charset=utf-8');
  return reply.send(isCompressed ? await compressJson(reply, json.text) : json.text);
};

/** Whether the caller has this text, as its header says. Weak tags: the bytes differ when the reply is compressed. */
function isKnown(reply: FastifyReply<Received>, { tag }: JsonText<unknown>): boolean {
  // Callers that keep a copy do so themselves: no proxy or browser keeps the secrets of a stack.
  reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'no-store' });
  const known = reply.request.headers['if-none-match'];
  return known !== undefined && (known.trim() === '*' || known.includes(`"${tag}"`));
}

const send = async (reply: FastifyReply<Received>, result: unknown): Promise<FastifyReply> => {
  if (!(result instanceof Reply) && !(result instanceof RawReply)) return sendJson(reply, result);
  reply.headers(result.headers);
  if (result.status !== undefined) reply.code(result.status);
  if (result instanceof Reply) return sendJson(reply, result.body);
  const { contentType, body } = result;
  const isUnreadStream = reply.request.method === 'HEAD' && body instanceof Readable;
  // Nothing reads the stream, so it would never end.
  if (isUnreadStream) body.destroy();
  return reply.type(contentType).send(isUnreadStream ? '' : body);
};

type Record = ReturnType<typeof recordCalls>;

/** Takes the connection over from the framework, whose hooks before sending it replaces. */
const sendEndless = async (
  reply: FastifyReply<Received>,
  { headers, contentType, start, cancel }: EndlessReply,
  record: Record,
): Promise<FastifyReply<Received>> => {
  const { raw, request } = reply.headers(headers).type(contentType);
  await record(request, reply).catch((error: unknown) => {
    cancel();
    throw error;
  });
  reply.hijack();
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  if (request.method !== 'HEAD' && !raw.destroyed)
    start(raw, (err) => request.log.error({ err, request_id: request.id }, 'an error ended the reply'));
  else {
    cancel();
    raw.end();
  }
  return reply;
};

interface Serving<A> {
  rules: AccessRules<A>;
  actors: WeakMap<ReceivedRequest, A>;
  record: Record;
}

const serve = <A>({ route, handler }: Binding<A>, { rules, actors, record }: Serving<A>) => {
  const check = inputChecker(route);
  const status = successStatus(route.replies);
  return async (request: ReceivedRequest, reply: FastifyReply<Received>): Promise<FastifyReply> => {
    const input = check(request);
    const result = await handler({
      ...input,
      actor: actors.get(request) ?? null,
      basic: route.access === 'public' ? parseBasicCredentials(request.headers.authorization) : null,
      token: route.takesToken ? tokenOf(rules, route, request) : null,
      request: factsOf(request),
      hasLeft: () => reply.raw.destroyed,
      setHeader: (name, value) => void reply.header(name, value),
    });
    reply.code(status);
    if (route.errorStyle !== undefined) reply.header('cache-control', 'no-store');
    return result instanceof EndlessReply ? sendEndless(reply, result, record) : send(reply, result);
  };
};

/** Registers a bound route. */
export const mount = <A>(app: FastifyInstance, binding: Binding<A>, rules: AccessRules<A>): void => {
  const actors = new WeakMap<ReceivedRequest, A>();
  const record = recordCalls(binding.route, rules.audit, (request) => actors.get(request));
  app.route<Received>({
    method: binding.route.method,
    url: binding.route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route: binding.route },
    onRequest: admit(binding.route, rules, actors),
    onSend: record,
    handler: serve(binding, { rules, actors, record }),
  });
};
