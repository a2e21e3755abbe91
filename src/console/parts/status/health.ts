import type { StackSummary } from '../../../contract/v3/schemas/stack-summary.ts';
import type { Reading } from './status.ts';

type Health = StackSummary['health'];

const readings: Readonly<Record<Health, Reading>> = {
  none: { tone: 'none', word: '' },
  unknown: { tone: 'none', word: 'Health unknown' },
  serving: { tone: 'good', word: 'Serving' },
  degraded: { tone: 'warn', word: 'Degraded' },
  down: { tone: 'bad', word: 'Down' },
};

/** While servers come or go on request, the application may not serve. */
const isExpected = (status: string): boolean =>
  status === 'CREATE_IN_PROGRESS' || status.startsWith('DELETE_');

/** Whether the application needs attention. */
export const isUnwell = (health: Health, status: string): boolean =>
  (health === 'degraded' || health === 'down') && !isExpected(status);

/** What the health of a stack means for a person; null: there is nothing to say. */
export function readHealth(health: Health, status: string): Reading | null {
  if (health === 'none' || status.startsWith('DELETE_')) return null;
  if (status === 'CREATE_IN_PROGRESS' && health !== 'serving')
    return { tone: 'work', word: 'Not serving yet' };
  return readings[health];
}
