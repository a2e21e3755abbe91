import type { Doing } from '../../../model/rollout.ts';
import { isInProgress } from '../../../model/status.ts';
import type { StackRow } from '../../../store/stacks/stacks.ts';

type Worked = Pick<StackRow, 'operation' | 'status' | 'undoing' | 'undoing_progress' | 'cancelled_version'>;

const words = { CREATE: 'creating', UPDATE: 'updating', DELETE: 'deleting' } as const;

/** What is being done to a stack now, also if it differs from what was requested. */
export function doingOf({ operation, status, undoing, cancelled_version: cancelled }: Worked): Doing {
  if (undoing !== '') return 'undoing';
  if (!isInProgress(status)) return '';
  return operation === 'UPDATE' && cancelled !== null ? 'returning' : words[operation];
}

export const doingReason = ({ undoing, undoing_progress: progress }: Worked): string =>
  progress === '' ? undoing : `${undoing} (${progress})`;
