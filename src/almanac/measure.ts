import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { healths } from '../model/rollout.ts';
import { stackStatuses } from '../model/status.ts';
import type { Database } from '../store/database/database.ts';
import { countStacksByHealth } from '../store/stacks/health.ts';
import { listEndedRollouts } from '../store/stacks/rollouts.ts';
import type { PassEnd } from '../store/stacks/schedule.ts';
import { countStacksByStatus } from '../store/stacks/stacks.ts';

interface ReconcileMeasures {
  pass: (end: PassEnd, milliseconds: number) => void;
  internalError: () => void;
}

/** Measures the reconciler. */
export function measureReconciling(registry: Registry): ReconcileMeasures {
  const registers = [registry];
  const passes = new Counter({
    name: 'almanac_reconcile_passes_total',
    help: 'Passes over stacks by result.',
    labelNames: ['end'],
    registers,
  });
  const seconds = new Histogram({
    name: 'almanac_reconcile_pass_seconds',
    help: 'Duration of passes.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
    registers,
  });
  const internalErrors = new Counter({
    name: 'almanac_reconcile_internal_errors_total',
    help: 'Internal errors of the reconciler. Each is in the log with its stack trace.',
    registers,
  });
  return {
    pass: (end, milliseconds) => {
      passes.inc({ end });
      seconds.observe(milliseconds / 1000);
    },
    internalError: () => internalErrors.inc(),
  };
}

/** Counts requests to clouds: they are limited and billed per account. */
export function measureVendorCalls(
  registry: Registry,
): (vendor: string, service: string, operation: string) => void {
  const calls = new Counter({
    name: 'almanac_vendor_calls_total',
    help: 'Requests sent to clouds, each retry counted.',
    labelNames: ['vendor', 'service', 'operation'],
    registers: [registry],
  });
  return (vendor, service, operation) => calls.inc({ vendor, service, operation });
}

/** Counts the large documents of callers, which other threads process. */
export function measureDocuments(registry: Registry): (end: string) => void {
  const documents = new Counter({
    name: 'almanac_documents_total',
    help: 'Large documents processed, by end: done, stopped at the limit of time or memory, crash, rejected.',
    labelNames: ['end'],
    registers: [registry],
  });
  return (end) => documents.inc({ end });
}

/** Counts what was refused because memory is short. */
export function measureMemory(registry: Registry, room: { readonly refused: number }): void {
  new Counter({
    name: 'almanac_memory_refused_total',
    help: 'Requests refused with 503 because the server had too little memory for their bodies.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(room.refused);
    },
  });
}

/** Counts log lines that were dropped because standard output is full or nobody reads it. */
export function measureLog(registry: Registry, droppedLines: () => number): void {
  new Counter({
    name: 'almanac_log_lines_dropped_total',
    help: 'Log lines that could not be written to standard output.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
}

/** Tells when checkpoints of the audit log are no longer written. */
export function measureCheckpoints(registry: Registry, ageMs: () => number): void {
  new Gauge({
    name: 'almanac_audit_checkpoint_age_seconds',
    help: 'Seconds since this server wrote checkpoints of all audit logs, or since its start.',
    registers: [registry],
    collect() {
      this.set(ageMs() / 1000);
    },
  });
}

/** Tells how wrong the clock of the machine is. */
export function measureClock(registry: Registry, skewMs: () => number): void {
  new Gauge({
    name: 'almanac_clock_skew_seconds',
    help: "Seconds that the machine's clock is ahead of the one of PostgreSQL, whose time is used.",
    registers: [registry],
    collect() {
      this.set(skewMs() / 1000);
    },
  });
}

/** Number of stacks per status over all accounts, counted when the metrics are read. */
export function measureStacks(registry: Registry, database: Database): void {
  new Gauge({
    name: 'almanac_stacks',
    help: 'Stacks by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const counts = new Map(
        (await countStacksByStatus(database.query)).map((row) => [row.status, row.count]),
      );
      for (const status of stackStatuses) this.set({ status }, counts.get(status) ?? 0);
    },
  });
}

/** The health of applications, and rollouts that ended since the server started, on whichever server. */
export function measureRollouts(registry: Registry, database: Database, startedAt: number): void {
  const registers = [registry];
  new Gauge({
    name: 'almanac_stacks_by_health',
    help: 'Stacks by the health of their application.',
    labelNames: ['health'],
    registers,
    async collect() {
      const counts = new Map(
        (await countStacksByHealth(database.query)).map((row) => [row.health, row.count]),
      );
      for (const health of healths) this.set({ health }, counts.get(health) ?? 0);
    },
  });
  const total = new Counter({
    name: 'almanac_rollouts_total',
    help: 'Rollouts that ended, by result.',
    labelNames: ['result'],
    registers,
  });
  let after = startedAt;
  new Histogram({
    name: 'almanac_rollout_seconds',
    help: 'Duration of rollouts that ended, by result.',
    labelNames: ['result'],
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800],
    registers,
    async collect() {
      for (const { state, began_at: began, ended_at: ended } of await listEndedRollouts(
        database.query,
        after,
      )) {
        total.inc({ result: state });
        this.observe({ result: state }, ((ended ?? began) - began) / 1000);
        after = Math.max(after, ended ?? 0);
      }
    },
  });
}
