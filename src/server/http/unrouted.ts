import type { FastifyInstance } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';
import { allowedMethods } from '../../contract/statuses.ts';
import { preflightHeaders } from './every-reply.ts';

export type MethodsAt = (path: string) => string[];

const cleaned = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

const isClean = (url: string): boolean => !url.includes('?') && !url.includes('//') && !url.endsWith('/');

/** Nearly all requests have a clean path, and each asks for it. */
export const pathOnly = (url: string): string => (isClean(url) ? url : cleaned(url));

const patternOf = (path: string): RegExp => {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
};

/** Methods of a path; empty if there is no route. A path without parameters hides those that match it with some. */
export const methodsAt = (routes: readonly Route[]): MethodsAt => {
  const patterns = routes.map((route) => ({ pattern: patternOf(route.path), route }));
  const paths = [...new Set(routes.map(({ path }) => path))];
  const literal = new Map<string, string[]>(
    paths.map((path) => [path, allowedMethods(routes.filter((route) => route.path === path))]),
  );
  return (path) => {
    const known = literal.get(path);
    if (known) return known;
    const matching = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
    return matching.length === 0 ? [] : allowedMethods(matching);
  };
};

const refuseMethod = (method: string, path: string, allowed: readonly string[]): Failure =>
  new Failure('method_not_allowed', `${method} is not allowed on ${path}`, {
    description: `Allowed: ${allowed.join(', ')}.`,
  });

/** Answers requests that no route serves: OPTIONS, a wrong method, an unknown path. */
export const answerUnrouted = (app: FastifyInstance, routes: readonly Route[]): void => {
  const allowedAt = methodsAt(routes);
  const literalPaths = new Set<string>(routes.map(({ path }) => path));

  const routedMethods = new Set<string>([...routes.map(({ method }) => method), 'HEAD']);

  app.addHook('onRequest', ({ method, url }, reply, done) => {
    const path = pathOnly(url);
    if (routedMethods.has(method) && !literalPaths.has(path)) return done();
    const allowed = allowedAt(path);
    if (allowed.length === 0 || (method !== 'OPTIONS' && allowed.includes(method))) return done();
    reply.header('allow', allowed.join(', '));
    // Without this, `compare` in GET /v3/alm/template/compare would be the id of a stack.
    if (method !== 'OPTIONS') return done(refuseMethod(method, path, allowed));
    void reply.code(204).headers(preflightHeaders).send();
  });

  app.setNotFoundHandler((request, reply) => {
    const path = pathOnly(request.url);
    const allowed = allowedAt(path);
    if (allowed.length === 0) throw new Failure('not_found', `No such route: ${request.method} ${path}`);
    reply.header('allow', allowed.join(', '));
    throw refuseMethod(request.method, path, allowed);
  });
};
