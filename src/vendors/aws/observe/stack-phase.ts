/** The phase of a stack, derived from its CloudFormation status. Only this file interprets these statuses. */
export interface StackPhase {
  kind: 'busy' | 'settled' | 'broken';
  doing: 'apply' | 'remove';
  /** How to bring a stack in this phase to a version. */
  move: 'update' | 'recreate' | 'finish-rollback' | 'wait';
}

const busy = (doing: StackPhase['doing']): StackPhase => ({ kind: 'busy', doing, move: 'wait' });
const settled: StackPhase = { kind: 'settled', doing: 'apply', move: 'update' };
const broken = (move: StackPhase['move']): StackPhase => ({ kind: 'broken', doing: 'apply', move });

const phases: Readonly<Record<string, StackPhase>> = {
  REVIEW_IN_PROGRESS: broken('recreate'), // an empty stack created by a change set
  CREATE_IN_PROGRESS: busy('apply'),
  CREATE_COMPLETE: settled,
  CREATE_FAILED: broken('recreate'),
  ROLLBACK_IN_PROGRESS: busy('apply'),
  ROLLBACK_COMPLETE: broken('recreate'),
  ROLLBACK_FAILED: broken('recreate'),
  UPDATE_IN_PROGRESS: busy('apply'),
  UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: busy('apply'),
  UPDATE_COMPLETE: settled,
  UPDATE_FAILED: broken('update'),
  UPDATE_ROLLBACK_IN_PROGRESS: busy('apply'),
  UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS: busy('apply'),
  UPDATE_ROLLBACK_COMPLETE: broken('update'),
  UPDATE_ROLLBACK_FAILED: broken('finish-rollback'),
  IMPORT_IN_PROGRESS: busy('apply'),
  IMPORT_COMPLETE: settled,
  IMPORT_ROLLBACK_IN_PROGRESS: busy('apply'),
  IMPORT_ROLLBACK_COMPLETE: settled,
  IMPORT_ROLLBACK_FAILED: broken('update'),
  DELETE_IN_PROGRESS: busy('remove'),
  DELETE_FAILED: { kind: 'broken', doing: 'remove', move: 'recreate' },
};

/** Unknown statuses: wait and poll again instead of guessing. */
const unknown: StackPhase = busy('apply');

export const phaseOf = (status: string): StackPhase => phases[status] ?? unknown;

/** What an update had made is removed in the last of these states. */
const undoing = /^(ROLLBACK|UPDATE_ROLLBACK|UPDATE_ROLLBACK_COMPLETE_CLEANUP)_IN_PROGRESS$/;

/** Whether CloudFormation undoes a creation or an update that failed. */
export const isUndoing = (status: string): boolean => undoing.test(status);
