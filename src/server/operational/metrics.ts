import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { metrics as metricsRoute } from '../../contract/operational.ts';
import { type Binding, bindFor, rawReply } from '../http/binding.ts';

interface RequestMeasurement {
  method: string;
  /** The path template, never the actual path, whose values are unbounded. */
  route: string;
  status: number;
  seconds: number;
}

export interface Metrics {
  /** Other components register their metrics here. */
  registry: Registry;
  observeRequest(measurement: RequestMeasurement): void;
}

export const createMetrics = (registry: Registry = new Registry()): Metrics => {
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by route template, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    registry,
    observeRequest: ({ method, route, status, seconds }) =>
      durations.observe({ method, route, status }, seconds),
  };
};

export const metricsBinding = <A>({ registry }: Metrics): Binding<A> =>
  bindFor<A>()(metricsRoute, async () =>
    rawReply({ contentType: registry.contentType, body: await registry.metrics() }),
  );
