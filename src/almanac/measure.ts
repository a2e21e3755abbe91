import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { stackStatuses } from '../model/status.ts';
import type { Database } from '../store/database/database.ts';
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
