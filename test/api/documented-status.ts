import { gatewayRoutes } from '../../src/contract/gateway.ts';
import { operationalRoutes } from '../../src/contract/operational.ts';
import type { Route } from '../../src/contract/route.ts';
import { failuresOf } from '../../src/contract/statuses.ts';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';

const routes: readonly Route[] = [...v2Routes, ...v3Routes, ...gatewayRoutes, ...operationalRoutes];

const literalParts = (path: string): number => path.split('/').filter((part) => !part.startsWith('{')).length;

const patterns = routes
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}/?$`) }))
  .toSorted((a, b) => literalParts(b.route.path) - literalParts(a.route.path));

const routeOf = (method: string, path: string): Route | undefined =>
  patterns.find(
    ({ route, pattern }) => route.method === method && pattern.test(path.split(/[?#]/, 1)[0] ?? ''),
  )?.route;

/** Fails if a route answers with a status that its documentation does not have. Answers of no route pass. */
export const requireDocumented = (method: string, path: string, status: number): void => {
  const route = routeOf(method, path);
  const isDocumented =
    !route ||
    status === 500 ||
    status in route.replies ||
    failuresOf(route).some((known) => known === status);
  if (!isDocumented)
    throw new Error(`${method} ${path} answered ${status}, which ${route.name} does not document`);
};
