import type { FastifyInstance, FastifyReply } from 'fastify';
import { successStatus } from '../../contract/route.ts';
import { type AccessRules, admit, countFailedSignIn, type ReceivedRequest, tokenOf } from './admit.ts';
import { parseBasicCredentials } from './authorization.ts';
import type { Binding } from './binding.ts';
import { factsOf, inputChecker, type Received } from './input.ts';
import { type Recorder, recordCalls } from './record-calls.ts';
import { sendReply } from './send/send-reply.ts';

type ReceivedReply = FastifyReply<Received>;

interface Serving<A> {
  rules: AccessRules<A>;
  record: Recorder;
}

const fail = (reply: ReceivedReply, error: unknown): void => {
  const err = error instanceof Error ? error : new Error(String(error));
  if (reply.sent) reply.log.error({ err, request_id: reply.request.id }, 'a reply failed after it was sent');
  else void reply.send(err);
};

/**
 * Returns nothing to the framework: for a handler with a promise it waits until the reply is written, which costs a tenth of a
 * small request.
 */
const serve = <A>({ route, handler }: Binding<A>, { rules, record }: Serving<A>) => {
  const check = inputChecker(route);
  const status = successStatus(route.replies);
  // What needs a token is for its owner alone. Handlers can say otherwise.
  const isPrivate = route.errorStyle !== undefined || route.access !== 'public';
  const finish = (reply: ReceivedReply, result: unknown): void | Promise<void> => {
    reply.code(status);
    if (isPrivate) reply.header('cache-control', 'no-store');
    return sendReply(reply, result, record);
  };
  const isChange = route.method !== 'GET' && route.access !== 'agent';
  return (request: ReceivedRequest, reply: ReceivedReply): void => {
    const { params, query, headers, body } = check(request);
    const end = isChange ? rules.changes?.begin() : undefined;
    if (end) reply.raw.once('close', end);
    const result = handler({
      params,
      query,
      headers,
      body,
      actor: request.actor as A | null,
      basic: route.access === 'public' ? parseBasicCredentials(request.headers.authorization) : null,
      token: route.takesToken ? tokenOf(rules, route, request) : null,
      request: factsOf(request),
      signedIn: (actor) => {
        request.isUncounted = false;
        return actor === null ? undefined : rules.limits?.countActor(actor as A, route);
      },
      hasLeft: () => reply.raw.destroyed,
      setHeader: (name, value) => void reply.header(name, value),
      setAuditDetail: (text) => {
        request.auditDetail = text;
      },
    });
    const sent =
      result instanceof Promise ? result.then((found) => finish(reply, found)) : finish(reply, result);
    sent?.catch((error: unknown) => fail(reply, error));
  };
};

/**
 * What cannot be recorded is refused. A reply that already says that the call failed is sent as it is: the framework would replace
 * it by one of its own.
 */
const recordBefore = (record: Recorder): Recorder => {
  return (request, reply) => {
    const recording = record(request, reply);
    if (!recording || request.failure === null) return recording;
    return recording.catch((err: unknown) =>
      request.log.error({ err, request_id: request.id }, 'a failed call is not in the audit log yet'),
    );
  };
};

/** Registers a bound route. */
export const mount = <A>(app: FastifyInstance, binding: Binding<A>, rules: AccessRules<A>): void => {
  const record = recordBefore(recordCalls(binding.route, rules.audit));
  app.route<Received>({
    method: binding.route.method,
    url: binding.route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route: binding.route },
    onRequest: admit(binding.route, rules),
    onSend: (request, reply, ...[, done]) => {
      countFailedSignIn(rules, request);
      return record(request, reply) ?? done();
    },
    handler: serve(binding, { rules, record }),
  });
};
