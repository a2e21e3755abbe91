/** The phase of a stack, derived from its status in Heat. Only this file interprets these statuses. */
export interface StackPhase {
  kind: 'busy' | 'settled' | 'broken';
  doing: 'apply' | 'remove';
  /**
   * How to bring a stack in this phase to a version. `supersede`: an update replaces the one in progress. `again`: Heat
   * converges to the template it has. `delete`: nothing else is possible.
   */
  move: 'update' | 'supersede' | 'again' | 'resume' | 'delete' | 'wait';
}

const busy = (move: StackPhase['move']): StackPhase => ({ kind: 'busy', doing: 'apply', move });
const settled = (move: StackPhase['move']): StackPhase => ({ kind: 'settled', doing: 'apply', move });
const broken = (move: StackPhase['move']): StackPhase => ({ kind: 'broken', doing: 'apply', move });

/** By the end of a status; its start is the action. */
const common: Readonly<Record<string, StackPhase>> = {
  IN_PROGRESS: busy('supersede'),
  COMPLETE: settled('update'),
  FAILED: broken('update'),
};

const exceptions: Readonly<Record<string, StackPhase>> = {
  ROLLBACK_IN_PROGRESS: busy('wait'),
  ROLLBACK_COMPLETE: broken('update'),
  // The resources differ from the template: drift, which is not a failure of the version.
  CHECK_FAILED: settled('again'),
  SUSPEND_IN_PROGRESS: busy('wait'),
  SUSPEND_COMPLETE: broken('resume'),
  SUSPEND_FAILED: broken('resume'),
  DELETE_IN_PROGRESS: { kind: 'busy', doing: 'remove', move: 'wait' },
  // Listed for a moment: until then the name is taken.
  DELETE_COMPLETE: { kind: 'busy', doing: 'remove', move: 'wait' },
  DELETE_FAILED: { kind: 'broken', doing: 'remove', move: 'delete' },
  // A snapshot that failed changed nothing.
  SNAPSHOT_FAILED: settled('update'),
};

/** Unknown statuses: wait and poll again instead of guessing. */
const unknown: StackPhase = busy('wait');

const actions = /^(?:CREATE|UPDATE|ROLLBACK|RESUME|CHECK|SNAPSHOT|RESTORE|ADOPT)_(.+)$/;

export const phaseOf = (status: string): StackPhase =>
  exceptions[status] ?? common[actions.exec(status)?.[1] ?? ''] ?? unknown;

/** Whether Heat undoes an update that failed. */
export const isUndoing = (status: string): boolean => status === 'ROLLBACK_IN_PROGRESS';
