/** The phase of a stack, derived from its status in ROS. Only this file interprets these statuses. */
export interface StackPhase {
  kind: 'busy' | 'settled' | 'broken';
  doing: 'apply' | 'remove';
  /** How to bring a stack in this phase to a version. `recreate`: it can only be deleted, and created again. */
  move: 'update' | 'recreate' | 'wait';
}

const busy: StackPhase = { kind: 'busy', doing: 'apply', move: 'wait' };
const settled: StackPhase = { kind: 'settled', doing: 'apply', move: 'update' };
const broken = (move: StackPhase['move']): StackPhase => ({ kind: 'broken', doing: 'apply', move });

const phases: Readonly<Record<string, StackPhase>> = {
  REVIEW_IN_PROGRESS: broken('recreate'), // an empty stack made by a change set
  CREATE_COMPLETE: settled,
  CREATE_FAILED: broken('recreate'),
  CREATE_ROLLBACK_COMPLETE: broken('recreate'),
  CREATE_ROLLBACK_FAILED: broken('recreate'),
  UPDATE_COMPLETE: settled,
  UPDATE_FAILED: broken('update'),
  // An update that was undone.
  ROLLBACK_COMPLETE: broken('update'),
  ROLLBACK_FAILED: broken('update'),
  CHECK_COMPLETE: settled,
  IMPORT_CREATE_COMPLETE: settled,
  IMPORT_UPDATE_COMPLETE: settled,
  DELETE_IN_PROGRESS: { kind: 'busy', doing: 'remove', move: 'wait' },
  DELETE_FAILED: { kind: 'broken', doing: 'remove', move: 'recreate' },
};

/** Whether the stack was complete at least once: what never was holds no data yet. */
export const mayHoldData = (status: string): boolean => !/^(CREATE_(?!COMPLETE)|REVIEW_)/.test(status);

/** A check or an import, of which ROS has more ends than one: nothing goes on, and an update is the way out. */
const ended = /_(COMPLETE|FAILED)$/;

/** Operations in progress, and unknown statuses that do not end one: wait and poll again instead of guessing. */
export const phaseOf = (status: string): StackPhase =>
  phases[status] ?? (ended.test(status) ? broken('update') : busy);

const undoing = /^(CREATE_)?ROLLBACK_IN_PROGRESS$/;

/** Whether ROS undoes a creation or an update that failed. */
export const isUndoing = (status: string): boolean => undoing.test(status);
