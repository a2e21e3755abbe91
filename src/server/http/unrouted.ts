import type { FastifyInstance } from 'fastify';
import { Failure } from '../../basics/failure.ts';
import type { Route } from '../../contract/route.ts';
import { allowedMethods } from '../../contract/statuses.ts';
import { preflightHeaders } from './every-reply.ts';

type MethodsAt = (path: string) => string[];

const pathOnly = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

const patternOf = (path: string): RegExp => {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
};

/** Methods of a path; empty if there is no route. */
const methodsAt = (routes: readonly Route[]): MethodsAt => {
  const patterns = routes.map((route) => ({ pattern: patternOf(route.path), route }));
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
    return found.length === 0 ? [] : allowedMethods(found);
  };
};

/** Answers requests that no route serves: OPTIONS, a wrong method, an unknown path. */
export const answerUnrouted = (app: FastifyInstance, routes: readonly Route[]): void => {
  const allowedAt = methodsAt(routes);

  app.addHook('onRequest', async (request, reply) => {
    const allowed = request.method === 'OPTIONS' ? allowedAt(pathOnly(request.url)) : [];
    if (allowed.length === 0) return;
    await reply.code(204).headers(preflightHeaders).header('allow', allowed.join(', ')).send();
  });

  app.setNotFoundHandler((request, reply) => {
    const path = pathOnly(request.url);
    const allowed = allowedAt(path);
    if (allowed.length === 0) throw new Failure('not_found', `No such route: ${request.method} ${path}`);
    reply.header('allow', allowed.join(', '));
    throw new Failure('method_not_allowed', `${request.method} is not allowed on ${path}`, {
      description: `Allowed: ${allowed.join(', ')}.`,
    });
  });
};
