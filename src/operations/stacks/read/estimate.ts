import { isInProgress, type Operation } from '../../../model/status.ts';
import { recentDurations } from '../../../store/stacks/durations.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import { findVisible } from './describe-stack.ts';

export interface Estimate {
  operation: Operation;
  /** Number of earlier operations the estimate is based on; zero: no estimate, as while a failed operation is undone. */
  samples: number;
  p50: number | null;
  p90: number | null;
  /** Milliseconds since the request; null when the operation is not in progress. */
  elapsed: number | null;
}

export const maxSamples = 200;

/** Nearest-rank percentile. */
export function percentile(samples: readonly number[], share: number): number | null {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

export interface EstimateRequest extends StackReference {
  /** The stack's current or last operation when absent. */
  operation?: Operation | undefined;
}

interface Sampled {
  actor: Actor;
  stack: StackRow;
  operation: Operation;
}

async function readSamples(service: Service, { actor, stack, operation }: Sampled): Promise<number[]> {
  const driver = (await vendorOf(service, stack)).name;
  const { accountId } = actor;
  return recentDurations(service.database.query, { accountId, driver, operation, limit: maxSamples });
}

/** Estimates how long an operation takes, from earlier ones of the account on the same vendor. */
export async function estimateStack(
  service: Service,
  actor: Actor,
  request: EstimateRequest,
): Promise<Estimate> {
  const stack = await findVisible(service, actor, request);
  const operation = request.operation ?? stack.operation;
  const isRunning = operation === stack.operation && isInProgress(stack.status);
  const samples =
    isRunning && stack.undoing !== '' ? [] : await readSamples(service, { actor, stack, operation });
  return {
    operation,
    samples: samples.length,
    p50: percentile(samples, 0.5),
    p90: percentile(samples, 0.9),
    elapsed: isRunning ? service.clock.now() - stack.updated_at : null,
  };
}
