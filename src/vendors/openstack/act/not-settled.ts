import { type Answer, refused } from '../../vendor.ts';
import type { HeatStack } from '../observe/list-stacks.ts';
import { phaseOf } from '../observe/stack-phase.ts';

/**
 * For operations that work with the template Heat has. After a failed update that is not the one of the version, and the end
 * of such an operation would hide the failure.
 */
export const notSettled = ({ status }: HeatStack): Answer =>
  phaseOf(status).kind === 'busy'
    ? refused('The stack is being changed. Try again when it is complete.')
    : refused('The last change of the stack failed. Update the stack, and try again when it is complete.');
