import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { stackStatuses } from '../model/status.ts';
import type { Database } from '../store/database.ts';
import type { PassEnd } from '../store/schedule.ts';
import { countStacksByStatus } from '../store/stacks.ts';

/** Counts what the reconciler does and, when asked for, how many stacks there are in each status. */
export function measureReconciling(
  registry: Registry,
  database: Database,
): (end: PassEnd, milliseconds: number) => void {
  const registers = [registry];
  const passes = new Counter({
    name: 'almanac_reconcile_passes_total',
    help: 'Passes by how they ended.',
    labelNames: ['end'],
    registers,
  });
  const seconds = new Histogram({
    name: 'almanac_reconcile_pass_seconds',
    help: 'How long passes took.',
    registers,
  });
  new Gauge({
    name: 'almanac_stacks',
    help: 'Stacks by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      const counts = new Map(
        (await countStacksByStatus(database.query)).map((row) => [row.status, row.count]),
      );
      for (const status of stackStatuses) this.set({ status }, counts.get(status) ?? 0);
    },
  });
  return (end, milliseconds) => {
    passes.inc({ end });
    seconds.observe(milliseconds / 1000);
  };
}
