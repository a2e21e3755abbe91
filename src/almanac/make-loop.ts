import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { PassConfig } from '../basics/config/passes.ts';
import type { Log } from '../basics/log.ts';
import type { Service } from '../operations/service.ts';
import { reconcileTools } from '../operations/stacks/settle/reconcile-tools.ts';
import { Loop } from '../reconcile/loop.ts';
import { reconcileStack } from '../reconcile/reconcile-stack.ts';
import { sweepStacks } from '../reconcile/sweep.ts';
import type { ReconcileTools } from '../reconcile/tools.ts';
import type { InProgress } from '../server/http/in-progress.ts';
import { DatabaseUnavailable } from '../store/database/unavailable.ts';
import { measureReconciling } from './measure.ts';
import { measureEndpoints, measureQueue } from './measure-passes.ts';

export interface LoopParts {
  service: Service;
  log: Log;
  registry: Registry;
  /** The changes that callers wait for. */
  changes?: InProgress;
  /** Those of the service, unless given. */
  tools?: ReconcileTools;
  passes?: PassConfig;
}

/** The server's reconcile loop: every internal error is logged with its stack trace and counted; an outage of the database is none. */
export function makeLoop(parts: LoopParts): Loop {
  const { service, log, registry, changes, passes, tools = reconcileTools(service) } = parts;
  const measure = measureReconciling(registry);
  const loop = new Loop({
    ...(passes ? { concurrency: passes.atOnce, perCredential: passes.perCredential } : {}),
    database: service.database,
    clock: service.clock,
    owner: `${hostname()} ${process.pid} ${randomUUID()}`,
    reconcile: (claim) => reconcileStack(tools, claim),
    sweep: (sweep, stopping) => sweepStacks(tools, sweep, stopping),
    isCrowded: () => changes?.isCrowded ?? false,
    onPassEnd: measure.pass,
    onInternalError(error, claim) {
      const subject = claim && { stack_id: claim.id, operation: claim.operation };
      if (error instanceof DatabaseUnavailable) {
        const reason = error.cause instanceof Error ? error.cause.message : error.message;
        return log.warn({ reason, ...subject }, 'the database is not available; trying again');
      }
      measure.internalError();
      log.error({ err: error, ...subject }, 'internal error while reconciling');
    },
  });
  measureQueue(registry, { service, load: () => loop.load });
  measureEndpoints(registry, service.endpoints);
  return loop;
}
