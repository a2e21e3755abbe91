import { Registry } from 'prom-client';
import { makeLoop } from '../../src/almanac/make-loop.ts';
import { createLog } from '../../src/basics/log.ts';
import type { Service } from '../../src/operations/service.ts';
import { reconcileTools } from '../../src/operations/stacks/settle/reconcile-tools.ts';
import type { Loop } from '../../src/reconcile/loop.ts';
import type { ReconcileTools } from '../../src/reconcile/tools.ts';
import type { Driver } from '../../src/vendors/vendor.ts';

/** Breaks the tools of a pass. */
export type Fault = (tools: ReconcileTools) => ReconcileTools;

const noFault: Fault = (tools) => tools;

/** A bug of ours: thrown from a named function, so that a test can look for it in the stack trace. */
export function throwBug(): never {
  throw new TypeError("Cannot read properties of undefined (reading 'nothing')");
}

export const asyncBug = async (): Promise<never> => throwBug();

export const withDriver =
  (changes: Partial<Driver>): Fault =>
  (tools) => ({
    ...tools,
    connect: async (stack) => ({ ...(await tools.connect(stack)), ...changes }),
  });

interface LogLine {
  level: string;
  stack_id?: string;
  operation?: string;
  err: { message: string; stack: string };
}

/** The loop, log and metrics of the real server, around passes whose tools may be broken. */
export class ObservedServer {
  readonly logLines: LogLine[] = [];
  #registry = new Registry();

  /** Each loop counts from zero. */
  loop(service: Service, fault: Fault = noFault): Loop {
    this.#registry = new Registry();
    const destination = { write: (line: string) => void this.logLines.push(JSON.parse(line) as LogLine) };
    const log = createLog({ level: 'info', destination });
    return makeLoop({ service, log, registry: this.#registry, tools: fault(reconcileTools(service)) });
  }

  async internalErrors(): Promise<number> {
    const metrics = await this.#registry.metrics();
    return Number(/^almanac_reconcile_internal_errors_total (\d+)$/m.exec(metrics)?.[1]);
  }

  async recordedPasses(): Promise<number> {
    const metrics = await this.#registry.metrics();
    return Number(/^almanac_reconcile_passes_total\{end="noted"\} (\d+)$/m.exec(metrics)?.[1]);
  }
}
