import type { FastifyInstance, FastifyRequest } from 'fastify';

/** More do not help to find the one that froze the event loop. */
const maxListed = 20;

/** The requests that are being served, for the log of a process that must end. */
export class RunningRequests<A> {
  readonly #accountOf: (actor: A) => string;
  /** In the order of their beginnings. */
  readonly #running = new Set<FastifyRequest>();

  constructor(accountOf: (actor: A) => string) {
    this.#accountOf = accountOf;
  }

  follow(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      this.#running.add(request);
      reply.raw.once('close', () => this.#running.delete(request));
      done();
    });
  }

  /** The latest ones, without what may be secret. */
  list(): object[] {
    return [...this.#running].slice(-maxListed).map((request) => ({
      method: request.method,
      route: request.routeOptions.config.route?.path ?? 'none',
      account: request.actor ? this.#accountOf(request.actor as A) : null,
      actor: request.actorName,
      request_id: request.id,
    }));
  }
}
