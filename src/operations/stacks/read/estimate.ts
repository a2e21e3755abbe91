import { isInProgress, type Operation } from '../../../model/status.ts';
import { recentDurations } from '../../../store/stacks/durations.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';
import type { Actor } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { vendorOf } from '../submit/vendor-access.ts';
import { findVisible } from './describe-stack.ts';

export interface Estimate {
  operation: Operation;
  /** How many earlier operations it rests on; with none there is no estimate. */
  samples: number;
  p50: number | null;
  p90: number | null;
  /** Milliseconds since it was asked for; null when nothing is under way. */
  elapsed: number | null;
}

const maxSamples = 200;

/** The value below which the given share of the samples lies (nearest rank). */
export function percentile(samples: readonly number[], share: number): number | null {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** How long this kind of change takes here, from what it took before. */
export async function estimateStack(
  service: Service,
  actor: Actor,
  stackId: string,
  asked: { language: StackRow['language']; operation?: Operation | undefined },
): Promise<Estimate> {
  const stack = await findVisible(service, actor, stackId, asked.language);
  const operation = asked.operation ?? stack.operation;
  const driver = (await vendorOf(service, stack)).name;
  const samples = await recentDurations(service.database.query, {
    accountId: actor.accountId,
    driver,
    operation,
    limit: maxSamples,
  });
  const underWay = operation === stack.operation && isInProgress(stack.status);
  return {
    operation,
    samples: samples.length,
    p50: percentile(samples, 0.5),
    p90: percentile(samples, 0.9),
    elapsed: underWay ? service.clock.now() - stack.updated_at : null,
  };
}
