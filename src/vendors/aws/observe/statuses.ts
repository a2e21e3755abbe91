/** CloudFormation's word for what a stack goes through, in ours; and what can be done about it. Nobody else reads its words. */
export interface Standing {
  kind: 'busy' | 'settled' | 'broken';
  doing: 'apply' | 'remove';
  /** How to bring a stack in this state to a version: most can be updated, some only made anew. */
  move: 'update' | 'recreate' | 'undo-first' | 'wait';
}

const busy = (doing: Standing['doing']): Standing => ({ kind: 'busy', doing, move: 'wait' });
const settled: Standing = { kind: 'settled', doing: 'apply', move: 'update' };
const broken = (move: Standing['move']): Standing => ({ kind: 'broken', doing: 'apply', move });

const standings: Readonly<Record<string, Standing>> = {
  REVIEW_IN_PROGRESS: broken('recreate'), // an empty shell that a change set left behind
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
  UPDATE_ROLLBACK_FAILED: broken('undo-first'),
  IMPORT_IN_PROGRESS: busy('apply'),
  IMPORT_COMPLETE: settled,
  IMPORT_ROLLBACK_IN_PROGRESS: busy('apply'),
  IMPORT_ROLLBACK_COMPLETE: settled,
  IMPORT_ROLLBACK_FAILED: broken('update'),
  DELETE_IN_PROGRESS: busy('remove'),
  DELETE_FAILED: { kind: 'broken', doing: 'remove', move: 'recreate' },
};

/** A word that is new to us: wait and look again, rather than act on a guess. */
const unknown: Standing = busy('apply');

export const standingOf = (status: string): Standing => standings[status] ?? unknown;
