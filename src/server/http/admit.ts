import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';
import { isRateLimited } from '../../contract/statuses.ts';
import { hasBearerScheme, parseBearerToken } from './authorization.ts';
import type { RequestFacts } from './binding.ts';
import type { InProgress } from './in-progress.ts';
import { factsOf, type Received } from './input.ts';
import type { RateLimits } from './rate-limit.ts';
import { refuseUnreadableRequest } from './readable-text.ts';
import type { AuditedCall } from './record-calls.ts';
import { cookieToken } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
    /** Also while the server is overloaded. */
    isAlwaysAnswered?: true;
  }
  interface FastifyRequest {
    /** Who calls, when it is admitted. A member and not a map beside it: for each request, a map costs more than the check. */
    actor: unknown;
    actorName: string | null;
    /** The caller is signing in, and no limit has counted the request yet. */
    isUncounted: boolean;
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
  authenticate(token: string, request: RequestFacts): A | null | Promise<A | null>;
  /** Throws a `forbidden` failure if the actor may not use the route. */
  authorize(actor: A, route: Route, subject: RequestSubject): void | Promise<void>;
  /** Name of the actor in the log. */
  nameActor(actor: A): string;
  /** Public URL of this server, to recognize its own pages. Absent: cookies never count. */
  baseUrl?: () => string;
  /** No limits if absent. */
  limits?: RateLimits<A>;
  /** Called for every authenticated call, after its reply is decided and before it is sent. */
  audit?: (call: AuditedCall<A>) => void | Promise<void>;
  /** Counts the changes that callers wait for; reports of agents are not among them. */
  changes?: InProgress;
}

export type ReceivedRequest = FastifyRequest<Received>;

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
export const tokenOf = <A>(
  { baseUrl }: AccessRules<A>,
  route: Route,
  { headers }: ReceivedRequest,
): string | null =>
  baseUrl && !hasBearerScheme(headers.authorization)
    ? cookieToken(route, headers, baseUrl())
    : parseBearerToken(headers.authorization);

/** Steps that wait for nothing return no promise: waiting for each of them would cost more than they do. */
const identify = <A>(
  rules: AccessRules<A>,
  route: Route,
  request: ReceivedRequest,
): NonNullable<A> | Promise<NonNullable<A>> => {
  const token = tokenOf(rules, route, request);
  const found = token === null ? null : rules.authenticate(token, factsOf(request));
  const orRefuse = (actor: A | null) => actor ?? refuse(rules, request, token);
  return found instanceof Promise
    ? found.catch(countSuspended(rules, request)).then(orRefuse)
    : orRefuse(found);
};

const refuse = <A>(rules: AccessRules<A>, request: ReceivedRequest, token: string | null): never => {
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

/** Whether the caller signs in with this request, in the header or in the body. */
const signsIn = ({ method, countedAfterSignIn }: Route, { headers }: ReceivedRequest): boolean =>
  countedAfterSignIn === true && (method !== 'GET' || headers.authorization !== undefined);

/** Signed-in users have the limit of their account on public routes too: many may share one address. */
const countPublic = async <A>(
  rules: AccessRules<A>,
  limits: RateLimits<A>,
  request: ReceivedRequest,
): Promise<void> => {
  const { route } = request.routeOptions.config;
  if (route && signsIn(route, request)) {
    limits.refuseAnonymous(request.ip);
    request.isUncounted = true;
    return refuseUnreadableRequest(request);
  }
  const actor = route ? await recognize(rules, route, request) : null;
  if (actor === null || !route) limits.countAnonymous(request.ip);
  else await limits.countActor(actor, route);
  refuseUnreadableRequest(request);
};

type Hook = (
  request: ReceivedRequest,
  reply: FastifyReply<Received>,
  done: () => void,
) => void | Promise<void>;

const admitAnyone = <A>(route: Route, rules: AccessRules<A>): Hook => {
  const { limits } = rules;
  if (limits && isRateLimited(route)) return (request) => countPublic(rules, limits, request);
  return (request, _reply, done) => {
    refuseUnreadableRequest(request);
    done();
  };
};

/** Runs before the body is read, so that unauthenticated callers cannot make the server read it. */
export const admit = <A>(route: Route, rules: AccessRules<A>): Hook => {
  if (route.access === 'public') return admitAnyone(route, rules);
  const version = versionOf(route);
  return async (request) => {
    const found = identify(rules, route, request);
    const actor = found instanceof Promise ? await found : found;
    const counting = rules.limits?.countActor(actor, route);
    if (counting) await counting;
    request.actor = actor;
    request.actorName = rules.nameActor(actor);
    refuseUnreadableRequest(request);
    const authorizing = rules.authorize(actor, route, { version, stackId: stackIdOf(request) });
    if (authorizing) await authorizing;
  };
};

/** Counts a request whose sign-in has failed, or whose body was refused before it, to the address. */
export const countFailedSignIn = <A>({ limits }: AccessRules<A>, request: ReceivedRequest): void => {
  if (!request.isUncounted) return;
  request.isUncounted = false;
  try {
    limits?.countAnonymous(request.ip);
  } catch {
    // The next request is refused.
  }
};
