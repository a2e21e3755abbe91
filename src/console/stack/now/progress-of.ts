import { isWorking, type Resource, type StackEvent, statusAfter } from '../../picture/resource.ts';
import { lastOperation } from '../../picture/waterfall.ts';

export interface Counted {
  done: number;
  total: number;
}

/** How many of the resources that the operation touches are ready. */
export function countOf(resources: readonly Resource[], events: readonly StackEvent[]): Counted {
  const named = new Set(lastOperation(events).flatMap((event) => (statusAfter(event) ? event.resource : [])));
  const touched = resources.filter(
    ({ name, status }) => named.has(name) || status === 'waiting' || isWorking(status),
  );
  const open = touched.filter(({ status }) => status === 'waiting' || isWorking(status));
  return { done: touched.length - open.length, total: touched.length };
}

interface Usual {
  p50: number | null;
  p90: number | null;
}

/** What to say about the time that is left, in milliseconds. */
export function timeLeft(
  elapsed: number,
  { p50, p90 }: Usual,
): { kind: 'unknown' | 'left' | 'late'; left: number } {
  if (p50 === null) return { kind: 'unknown', left: 0 };
  if (elapsed <= p50) return { kind: 'left', left: p50 - elapsed };
  if (p90 !== null && elapsed <= p90) return { kind: 'left', left: p90 - elapsed };
  return { kind: 'late', left: 0 };
}
