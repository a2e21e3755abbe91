import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { type Clock, realClock } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import { isShed } from '../../contract/statuses.ts';

const measureEveryMs = 100;
const retryAfter = 2;

/** Milliseconds by which the event loop was late, both times it was measured last: a single pause is not an overload. */
export interface LagMeter {
  lag(): number;
  stop(): void;
}

/** `elapsed`: a clock that is never set, unlike the time of day. */
export const measureLag = (
  clock: Pick<Clock, 'after'> = realClock,
  elapsed: () => number = () => performance.now(),
): LagMeter => {
  let [before, last] = [0, 0];
  let cancel = (): void => {};
  const measure = (): void => {
    const start = elapsed();
    cancel = clock.after(measureEveryMs, () => {
      [before, last] = [last, Math.max(0, elapsed() - start - measureEveryMs)];
      measure();
    });
  };
  measure();
  return { lag: () => Math.min(before, last), stop: () => cancel() };
};

export interface OverloadOptions {
  /** Milliseconds. */
  maxLag: number;
  meter?: LagMeter;
}

const overloaded = (): Failure =>
  new Failure('unavailable', 'The server is overloaded', {
    description: `Nothing was changed. Try again in ${retryAfter} seconds.`,
    retryAfter,
  });

/**
 * Refuses requests while the event loop is late: a caller that gets 503 at once can wait, and the requests that are already
 * accepted finish. Monitoring, agents and the files of the console, which says in words that the server is overloaded, are always
 * answered. Returns whether the event loop is late: then also what is answered should cost little.
 */
export const shedLoad = (
  app: FastifyInstance,
  registry: Registry,
  options: OverloadOptions,
): (() => boolean) => {
  const { maxLag, meter = measureLag() } = options;
  const isLate = (): boolean => meter.lag() > maxLag;
  const shed = new Counter({
    name: 'almanac_requests_shed_total',
    help: 'Requests refused with 503 because the event loop was late.',
    registers: [registry],
  });
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    const { route, isAlwaysAnswered = false } = routeOptions.config;
    if (!isLate() || isAlwaysAnswered || (route && !isShed(route))) return done();
    shed.inc();
    done(overloaded());
  });
  app.addHook('onClose', async () => meter.stop());
  return isLate;
};
