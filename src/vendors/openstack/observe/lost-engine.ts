import { ifThere, observing } from '../errors.ts';
import type { Region } from '../region.ts';
import { readLastEventTime } from './events.ts';
import type { HeatStack } from './list-stacks.ts';
import { pathOf } from './stack-path.ts';

/** Heat ends an operation itself at its time limit. A stack that is in progress this long after it was lost by an engine. */
const graceMs = (limitMs: number): number => Math.min(600_000, limitMs);
/** No stack is lost before: the least limit of Heat is a minute. */
const leastMs = 120_000;
/** Heat's own limit, for stacks without one. */
const defaultMinutes = 60;

async function readLimitMs({ client }: Region, stack: HeatStack): Promise<number> {
  const path = `${pathOf(stack)}?resolve_outputs=False`;
  const found = await observing(() =>
    ifThere(() =>
      client.read<{ stack: { timeout_mins?: number | null } }>({ service: 'orchestration', path }),
    ),
  );
  return (found?.stack.timeout_mins ?? defaultMinutes) * 60_000;
}

/** Read once for each operation. */
async function limitOf(region: Region, stack: HeatStack): Promise<number> {
  const state = `${stack.heatId} ${stack.status} ${stack.updatedAt}`;
  const known = region.limits.get(stack.stackId);
  if (known?.state === state) return known.limitMs;
  const limitMs = await readLimitMs(region, stack);
  region.limits.set(stack.stackId, { state, limitMs });
  return limitMs;
}

/**
 * Whether the engine that worked on a busy stack is gone. Heat leaves such a stack in progress forever; another request
 * continues it. Reads more only if the operation is old.
 */
export async function isLost(region: Region, stack: HeatStack): Promise<boolean> {
  const now = region.clock.now();
  // Our own requests by our own clock: that of the cloud may differ, and every further request starts the work again.
  const knownAt = Math.max(stack.updatedAt, region.operations.requestedAt(stack.stackId));
  if (now - knownAt < leastMs) return false;
  const limitMs = await limitOf(region, stack);
  const lostAfterMs = limitMs + graceMs(limitMs);
  if (now - knownAt < lostAfterMs) return false;
  return now - (await readLastEventTime(region.client, stack)) >= lostAfterMs;
}
