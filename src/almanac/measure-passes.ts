import { Gauge, type Registry } from 'prom-client';
import type { Endpoints } from '../basics/calls/endpoints.ts';
import { pause } from '../basics/pause.ts';
import type { Service } from '../operations/service.ts';
import type { Loop } from '../reconcile/loop.ts';
import { countDue } from '../store/stacks/schedule/claim.ts';

/** A stack that has been due for longer is overdue. */
const overdueMs = 10_000;
const longestMs = 500;

interface Queue {
  service: Pick<Service, 'database' | 'clock'>;
  load: () => Loop['load'];
}

/** What waits for a pass, on whichever server, and what this server works on. */
export function measureQueue(registry: Registry, { service, load }: Queue): void {
  const gauge = (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name: `almanac_reconcile_${name}`,
      help,
      registers: [registry],
      async collect() {
        // Without the database, the other metrics matter even more: the last value stays.
        const value = await Promise.race([read(), pause(service.clock, longestMs)]).catch(() => undefined);
        if (value !== undefined) this.set(value);
      },
    });
  };
  const count = countingOnce(service);
  gauge('due_stacks', 'Stacks that are due, including those with a pass.', async () => (await count()).due);
  gauge('overdue_stacks', 'Stacks that have been due for 10 seconds.', async () => (await count()).overdue);
  gauge('oldest_due_seconds', 'How long the stack that waits longest has been due.', async () => {
    const { oldest } = await count();
    return oldest === null ? 0 : Math.max(0, service.clock.now() - oldest) / 1000;
  });
  gauge('running_passes', 'Passes in progress on this server.', async () => load().running);
  gauge('slots', 'Passes at a time on this server, without those that wait.', async () => load().slots);
}

/** Gauges that are read together share one query. */
function countingOnce({ database, clock }: Queue['service']): () => ReturnType<typeof countDue> {
  let counting: ReturnType<typeof countDue> | undefined;
  return () => {
    const now = clock.now();
    counting ??= countDue(database.query, { now, before: now - overdueMs }).finally(() => {
      counting = undefined;
    });
    return counting;
  };
}

/** Addresses of vendors that do not answer. Their names are in the log: metrics are public. */
export function measureEndpoints(registry: Registry, endpoints: Endpoints): void {
  new Gauge({
    name: 'almanac_vendor_endpoints_silent',
    help: 'Addresses of vendors that do not answer. Calls to them fail at once until an attempt succeeds.',
    labelNames: ['vendor'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [vendor, count] of endpoints.count()) this.set({ vendor }, count);
    },
  });
}
