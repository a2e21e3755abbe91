import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, failureKinds } from '../../basics/failure.ts';
import type { Log } from '../../basics/log.ts';
import { healthz, metrics as metricsRoute, readyz } from '../../contract/operational.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    failure: Failure | null;
  }
}

/** Requested every few seconds by monitoring; logged at debug level only. */
const probes = new Set<string>([healthz.path, readyz.path, metricsRoute.path]);

const templateOf = (request: FastifyRequest): string =>
  request.routeOptions.config.route?.path ?? request.routeOptions.url ?? 'none';

/** Omits bodies, URLs with queries, and headers, because all of them may contain secrets. */
const callOf = (request: FastifyRequest) => ({
  method: request.method,
  route: templateOf(request),
  request_id: request.id,
  actor: request.actorName,
});

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  ...callOf(request),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  ...(request.failure ? { failure: request.failure.kind } : {}),
});

const logRequest = (log: Log, request: FastifyRequest, reply: FastifyReply): void => {
  const { failure } = request;
  if (failure && failureKinds[failure.kind].status >= 500)
    return log.error({ ...lineOf(request, reply), err: failure.cause ?? failure }, 'request failed');
  const level = probes.has(templateOf(request)) ? 'debug' : 'info';
  // The line is made only if it is written.
  if (log.isLevelEnabled(level)) log[level](lineOf(request, reply), 'request');
};

/** Writes one log line per request and records one measurement per reply. */
export const recordRequests = (app: FastifyInstance, log: Log, metrics: Metrics): void => {
  app.decorateRequest('failure', null);
  // If the caller disconnects first, there is no reply and onResponse does not run.
  app.addHook('onRequestAbort', async (request) => log.info(callOf(request), 'request aborted'));
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply);
    metrics.observeRequest({
      method: request.method,
      route: templateOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
};
