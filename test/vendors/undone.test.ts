import { describe, expect, it } from 'vitest';
import { undoneIn } from '../../src/vendors/undone.ts';
import type { VendorEvent } from '../../src/vendors/vendor.ts';

type Happened = [resource: string, state: string, physicalId?: string | null];

const eventOf = ([resource, state, id = `${resource}-id`]: Happened, at: number): VendorEvent => ({
  id: String(at),
  at,
  resource,
  resourceType: '',
  ...(id === null ? {} : { physicalId: id }),
  state,
  message: '',
});

/** Oldest first. `S` is the stack. */
const progressOf = (...happened: Happened[]) => undoneIn(happened.map(eventOf), 'S-id');

const creation: Happened[] = [
  ['S', 'CREATE_IN_PROGRESS'],
  ['A', 'CREATE_IN_PROGRESS', null],
  ['A', 'CREATE_COMPLETE'],
  ['B', 'CREATE_IN_PROGRESS'],
  ['C', 'CREATE_FAILED', null],
  ['S', 'ROLLBACK_IN_PROGRESS'],
];

describe('the progress of undoing', () => {
  it('is unknown before the cloud begins, and if nothing was made', () => {
    expect(progressOf(...creation.slice(0, -1))).toBeUndefined();
    expect(progressOf(['S', 'CREATE_IN_PROGRESS'], ['S', 'ROLLBACK_IN_PROGRESS'])).toBeUndefined();
    expect(
      progressOf(['S', 'CREATE_IN_PROGRESS'], ['C', 'CREATE_FAILED', null], ['S', 'ROLLBACK_IN_PROGRESS']),
    ).toBeUndefined();
  });

  it('counts what a creation had made, and what of it is deleted', () => {
    expect(progressOf(...creation)).toEqual({ done: 0, of: 2 });
    const deleting: Happened[] = [...creation, ['B', 'CREATE_COMPLETE'], ['B', 'DELETE_IN_PROGRESS']];
    expect(progressOf(...deleting)).toEqual({ done: 0, of: 2 });
    expect(progressOf(...deleting, ['B', 'DELETE_COMPLETE'])).toEqual({ done: 1, of: 2 });
    expect(progressOf(...deleting, ['B', 'DELETE_SKIPPED'], ['A', 'DELETE_COMPLETE'])).toEqual({
      done: 2,
      of: 2,
    });
  });

  it('counts a resource that got its id only when the undoing had begun', () => {
    expect(progressOf(...creation, ['C', 'CREATE_COMPLETE'])).toEqual({ done: 0, of: 3 });
  });

  it('counts what an update had changed, made or deleted, and nothing else', () => {
    const update: Happened[] = [
      ['S', 'UPDATE_IN_PROGRESS'],
      ['Changed', 'UPDATE_COMPLETE'],
      ['New', 'CREATE_COMPLETE'],
      ['Old', 'DELETE_COMPLETE'],
      ['S', 'UPDATE_ROLLBACK_IN_PROGRESS'],
    ];
    expect(progressOf(...update)).toEqual({ done: 0, of: 3 });
    expect(progressOf(...update, ['Old', 'CREATE_COMPLETE'])).toEqual({ done: 1, of: 3 });
    const undone: Happened[] = [...update, ['Changed', 'UPDATE_COMPLETE'], ['Other', 'UPDATE_COMPLETE']];
    expect(progressOf(...undone, ['S', 'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS'])).toEqual({
      done: 1,
      of: 3,
    });
    expect(progressOf(...undone, ['New', 'DELETE_COMPLETE'])).toEqual({ done: 2, of: 3 });
  });

  it('does not begin again with a second attempt to undo', () => {
    expect(
      progressOf(
        ...creation,
        ['B', 'DELETE_COMPLETE'],
        ['A', 'DELETE_FAILED'],
        ['S', 'ROLLBACK_FAILED'],
        ['S', 'ROLLBACK_IN_PROGRESS'],
      ),
    ).toEqual({ done: 1, of: 2 });
  });
});
