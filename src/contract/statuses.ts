import type { TObject, TSchema } from 'typebox';
import { agentFileRoutes } from './agent-files.ts';
import type { Route } from './route.ts';

/**
 * The statuses of failed requests, and the routes that can have them because of their declaration. The server, the OpenAPI
 * document and the tests read this table; a route declares further statuses among its replies.
 */

/** Monitoring must work at any load, so its routes have no rate limit. */
const monitoringPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

export const isRateLimited = ({ path }: Route): boolean => !monitoringPaths.has(path);

const agentFilePaths: ReadonlySet<string> = new Set(agentFileRoutes.map(({ path }) => path));

/** An overloaded server still hears the agents: they report what cannot wait, and new instances start with their files. */
export const isShed = (route: Route): boolean =>
  isRateLimited(route) && route.access !== 'agent' && !agentFilePaths.has(route.path);

const readsBody = ({ bodyKind }: Route): boolean => bodyKind !== 'none';

const isObjectSchema = (schema: TSchema | undefined): schema is TObject =>
  schema !== undefined && 'properties' in schema;

/** Whether a member of the schema, or of an object in it, has such a name. */
const hasMember = (schema: TSchema | undefined, pattern: RegExp): boolean =>
  isObjectSchema(schema) &&
  Object.entries(schema.properties).some(
    ([name, member]) => pattern.test(name) || hasMember(member, pattern),
  );

/** Members that name a resource, which may not exist. */
const resourceName = /(?:^|_)id$|^stackid$|^username$/;
const stackName = /^stack_?id$/;

const changesStack = ({ method, params, query, body }: Route): boolean =>
  method !== 'GET' && [params, query, body].some((schema) => hasMember(schema, stackName));

const hasHeader = ({ headers }: Route, name: string): boolean =>
  headers !== undefined && Object.hasOwn(headers.properties, name);

const isOauth = ({ errorStyle }: Route): boolean => errorStyle !== undefined;
const needsToken = ({ access }: Route): boolean => access !== 'public';

interface FailureStatus {
  /** Name of the shared response in the OpenAPI document. */
  readonly name: string;
  readonly description: string;
  /** Whether every route with this declaration can have the status. */
  readonly applies: (route: Route) => boolean;
}

export const failureStatuses = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid. `problems` lists every error.',
    applies: () => true,
  },
  401: {
    name: 'Unauthorized',
    description: 'The access token is missing, invalid or expired.',
    applies: (route) => needsToken(route) || isOauth(route),
  },
  403: {
    name: 'Forbidden',
    description: 'The roles of the caller do not allow this action, or the account is suspended.',
    applies: (route) => needsToken(route) || isOauth(route),
  },
  404: {
    name: 'NotFound',
    description: 'The resource does not exist, or the caller has no access to it.',
    applies: (route) =>
      route.params !== undefined ||
      (needsToken(route) && [route.query, route.body].some((schema) => hasMember(schema, resourceName))),
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method. `Allow` lists those it supports.',
    applies: () => true,
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the current state of the resource.',
    // A stack whose credential is gone cannot ask its vendor.
    applies: (route) =>
      hasHeader(route, 'idempotency-key') || changesStack(route) || route.asksVendor === true,
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The version in If-Match is no longer the current version.',
    applies: (route) => hasHeader(route, 'if-match'),
  },
  413: {
    name: 'TooLarge',
    description:
      'The request body is larger than 1 MiB, has too many values, or takes too much time or memory to process.',
    applies: ({ method }) => method !== 'GET',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type of the request body is not supported.',
    applies: readsBody,
  },
  429: {
    name: 'TooManyRequests',
    description: 'Rate limit exceeded. Retry after the number of seconds in `Retry-After`.',
    applies: isRateLimited,
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The URL and the headers together are larger than 16 KiB.',
    applies: () => true,
  },
  502: {
    name: 'BadGateway',
    description: 'The vendor cannot be reached, or its answer is not usable.',
    applies: ({ asksVendor }) => asksVendor === true,
  },
  503: {
    name: 'Unavailable',
    description: 'The service is temporarily unavailable. `message` contains the reason.',
    applies: isRateLimited,
  },
} as const satisfies Readonly<Record<number, FailureStatus>>;

export type DocumentedFailure = keyof typeof failureStatuses;

const isDocumented = (status: number): status is DocumentedFailure => Object.hasOwn(failureStatuses, status);

const allFailures = Object.keys(failureStatuses).map(Number).filter(isDocumented);

/** Every status of a failure that the route can have, in ascending order. */
export const failuresOf = (route: Route): DocumentedFailure[] =>
  allFailures.filter((status) => status in route.replies || failureStatuses[status].applies(route));

/** What `Allow` lists for a path with these routes. HEAD works like GET, and OPTIONS answers for every path. */
export const allowedMethods = (routes: readonly Route[]): string[] => {
  const methods = routes.map(({ method }) => method);
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
};
