import type { Undoing, VendorEvent } from './vendor.ts';

const undoingStarts = /ROLLBACK_IN_PROGRESS$/;
/** Whatever else happens to a resource then, it is back or gone. */
const undone = /^(UPDATE_COMPLETE|DELETE_COMPLETE|DELETE_SKIPPED)$/;

interface Touched {
  /** The operation had begun to delete it: undoing makes it again. */
  wasDeleted: boolean;
  exists: boolean;
  isUndone: boolean;
}

/**
 * How far a cloud is in undoing an operation, by the events of the operation so far, oldest first. `stackId`: the physical id of
 * the stack itself. A resource that never got an id was never made, so nothing of it has to be undone.
 */
export function undoneIn(events: readonly VendorEvent[], stackId: string): Undoing['progress'] {
  const isStack = ({ physicalId }: VendorEvent): boolean => physicalId === stackId;
  const start = events.findIndex((event) => isStack(event) && undoingStarts.test(event.state));
  if (start < 0) return undefined;
  const touched = new Map<string, Touched>();
  for (const event of events.slice(0, start).filter((each) => !isStack(each)))
    touched.set(event.resource, {
      wasDeleted: event.state.startsWith('DELETE_'),
      exists: event.physicalId !== undefined || (touched.get(event.resource)?.exists ?? false),
      isUndone: false,
    });
  for (const { resource, state, physicalId } of events.slice(start)) {
    const found = touched.get(resource);
    if (!found) continue;
    found.exists ||= physicalId !== undefined;
    found.isUndone ||= undone.test(state) || (found.wasDeleted && state === 'CREATE_COMPLETE');
  }
  const all = [...touched.values()].filter(({ exists }) => exists);
  const done = all.filter(({ isUndone }) => isUndone).length;
  return all.length === 0 ? undefined : { done, of: all.length };
}
