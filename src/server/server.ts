import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Log } from '../basics/log.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { openApi } from '../contract/operational.ts';
import { referencePages } from '../contract/reference/site.ts';
import type { AccessRules } from './http/admit.ts';
import { parseBasicCredentials } from './http/authorization.ts';
import { type Binding, bindFor } from './http/binding.ts';
import { errorReply, toFailure } from './http/error-reply.ts';
import { encryptedOnly, requestIdOf, setCommonHeaders } from './http/every-reply.ts';
import { cleanForwardedFor } from './http/forwarded-for.ts';
import { answerMalformed } from './http/malformed.ts';
import { mount } from './http/mount.ts';
import { hasSession } from './http/page-session.ts';
import { bodyLimit, readBodies } from './http/request-body.ts';
import { answerUnrouted, type MethodsAt, methodsAt } from './http/unrouted.ts';
import { type ConsoleOptions, serveConsole } from './operational/console-files.ts';
import { docsBindings } from './operational/docs-page.ts';
import { stopGracefully } from './operational/graceful-stop.ts';
import { healthBindings, type Readiness } from './operational/health.ts';
import { holdMemory, type MemoryOptions } from './operational/hold-memory.ts';
import { createMetrics, type Metrics, metricsBinding } from './operational/metrics.ts';
import { type OverloadOptions, shedLoad } from './operational/overload.ts';
import { recordRequests } from './operational/request-log.ts';
import type { RunningRequests } from './operational/running-requests.ts';
import { type SocketBinding, serveSockets, WebSocketOrHttp } from './terminal/upgrade.ts';

export interface ServerOptions<A> extends AccessRules<A> {
  bindings: readonly Binding<A>[];
  /** Routes that are upgraded to WebSockets. */
  sockets?: readonly SocketBinding[];
  /** Absent: the web console is not served. */
  console?: ConsoleOptions;
  logger: Log;
  version: string;
  readiness: Readiness;
  metrics?: Metrics;
  /** Knows the requests in progress. */
  running?: RunningRequests<A>;
  /** When requests are refused because the server is late. Default: never. */
  overload?: OverloadOptions;
  /** Memory for the bodies of requests. Default: without a limit. */
  memory?: MemoryOptions<A>;
  /** Proxies whose X-Forwarded-For header is trusted. Default: none. */
  trustProxy?: boolean | string | string[];
}

interface AppOptions {
  logger: FastifyBaseLogger;
  trustProxy: boolean | string | string[];
  allowedAt: MethodsAt;
}

const noSchemas = () => {
  throw new Error('routes have no schemas of the framework');
};

const newApp = ({ logger, trustProxy, allowedAt }: AppOptions): FastifyInstance =>
  Fastify({
    loggerInstance: logger,
    http: { IncomingMessage: WebSocketOrHttp },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    // One logger for all requests: lines of a request name it themselves.
    childLoggerFactory: (all) => all,
    requestIdHeader: false,
    bodyLimit,
    trustProxy,
    exposeHeadRoutes: true,
    requestTimeout: 60_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    // Routes check their input and write their replies themselves: the compilers of the framework are not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: sendError,
    clientErrorHandler: answerMalformed(allowedAt),
  });

/** When it is first asked for: it is large, and many servers are never asked. */
const madeOnce = <T extends object>(make: () => T): (() => T) => {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

/** Headers that describe a reply, which may be set before sending it fails. */
const replyHeaders = ['content-encoding', 'cache-control', 'etag'];

const sendError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, headers, body } = errorReply(error, {
    requestId: request.id,
    style: request.routeOptions.config?.route?.errorStyle ?? null,
    usedBasic: parseBasicCredentials(request.headers.authorization) !== null,
  });
  request.failure = toFailure(error);
  setCommonHeaders(reply);
  for (const name of replyHeaders) reply.removeHeader(name);
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

/** Serves route tables over HTTP. The caller is responsible for `listen` and `close`. */
export const buildServer = <A>(options: ServerOptions<A>): FastifyInstance => {
  const { logger, trustProxy = false } = options;
  const app = newApp({ logger, trustProxy, allowedAt: (path) => methodsAt(routes)(path) });
  const metrics = options.metrics ?? createMetrics();
  app.decorateRequest('actor', null);
  app.decorateRequest('actorName', null);
  app.decorateRequest('isUncounted', false);
  app.decorateRequest('isRecorded', false);
  app.decorateRequest('auditDetail', '');
  // Hooks that wait for nothing call back: a promise for each of them and each request costs more than their work.
  app.addHook('onRequest', ({ headers }, reply, done) => {
    if (trustProxy) cleanForwardedFor(headers);
    setCommonHeaders(reply);
    if (options.baseUrl?.().startsWith('https:')) reply.headers(encryptedOnly);
    done();
  });
  recordRequests(app, options.logger, metrics);
  options.running?.follow(app);
  const isLate = options.overload ? shedLoad(app, metrics.registry, options.overload) : () => false;
  const isStopping = stopGracefully(app);
  if (options.memory) holdMemory(app, options.memory);
  readBodies(app);
  app.setErrorHandler(sendError);

  const bindings: Binding<A>[] = [
    ...options.bindings,
    ...healthBindings<A>({ version: options.version, readiness: options.readiness, isStopping }),
    metricsBinding<A>(metrics),
    bindFor<A>()(openApi, () => document()),
    ...docsBindings<A>(() => referencePages(routes, options.version)),
  ];
  const sockets = options.sockets ?? [];
  const routes = [...bindings, ...sockets].map(({ route }) => route);
  const document = madeOnce(() => openApiDocument({ routes, version: options.version }));
  answerUnrouted(app, routes);
  for (const binding of bindings) mount(app, binding, options);
  serveSockets(app, sockets, options.limits);
  if (options.console) serveConsole(app, options.console, hasSession({ ...options, isLate }));
  return app;
};
