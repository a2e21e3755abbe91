import { Gauge, type Registry } from 'prom-client';
import type { Endpoints } from '../basics/calls/endpoints.ts';
import type { Service } from '../operations/service.ts';
import type { Loop } from '../reconcile/loop.ts';
import { countDue } from '../store/stacks/schedule/claim.ts';

/** A stack that has been due for longer is overdue. */
const overdueMs = 10_000;

interface Queue {
  service: Pick<Service, 'database' | 'clock'>;
  load: () => Loop['load'];
}

const gauge = (registry: Registry, name: string, help: string): Gauge =>
  new Gauge({ name: `almanac_reconcile_${name}`, help, registers: [registry] });

/** What waits for a pass, on whichever server, and what this server works on. */
export function measureQueue(registry: Registry, { service, load }: Queue): void {
  const overdue = gauge(registry, 'overdue_stacks', 'Stacks that have been due for more than 10 seconds.');
  const age = gauge(registry, 'oldest_due_seconds', 'How long the stack that waits longest has been due.');
  const running = gauge(registry, 'running_passes', 'Passes in progress on this server.');
  const slots = gauge(
    registry,
    'slots',
    'Passes at a time on this server, without those that wait for a cloud.',
  );
  new Gauge({
    name: 'almanac_reconcile_due_stacks',
    help: 'Stacks that are due, including those with a pass in progress.',
    registers: [registry],
    async collect() {
      const now = service.clock.now();
      const found = await countDue(service.database.query, { now, before: now - overdueMs });
      this.set(found.due);
      overdue.set(found.overdue);
      age.set(found.oldest === null ? 0 : Math.max(0, now - found.oldest) / 1000);
      const { running: passes, slots: count } = load();
      running.set(passes);
      slots.set(count);
    },
  });
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
