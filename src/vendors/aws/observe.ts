import { cachedMs, pollAfter } from '../shared/poll.ts';
import type { AcceptedOperation } from '../shared/stack-operations.ts';
import { emptyView, type Observation, type StackOnVendor, type StackView } from '../vendor.ts';
import { errorName, isRejection, unobservable } from './errors.ts';
import { brokenReason } from './observe/broken-reason.ts';
import { readHistory } from './observe/events.ts';
import type { CloudStack } from './observe/list-stacks.ts';
import { emptyHistory, type OperationHistory } from './observe/operation-history.ts';
import { findSmallVolumes } from './observe/small-volumes.ts';
import { isUndoing, phaseOf } from './observe/stack-phase.ts';
import { placesInStack } from './observe/stores.ts';
import { undoingOf } from './observe/undoing.ts';
import { readView } from './observe/view.ts';
import { findCloudStack, type Region } from './region.ts';

/** For a stack whose changes are announced by events, in case one is lost. */
const pollWithEvents = (pollMs: number): number => 12 * pollMs;

/** `readMs`: reads that are not older are shared with other stacks. */
export async function observe(
  region: Region,
  { id }: StackOnVendor,
  readMs = cachedMs(region.pollMs),
): Promise<Observation> {
  const recent = await findCloudStack(region, id, readMs);
  // Report a missing stack only after a fresh read.
  const { order, value: stack } = recent.value ? recent : await findCloudStack(region, id, region.pollMs / 5);
  const accepted = region.operations.acceptedSince(id, order);
  if (accepted) return justAccepted(region, accepted, stack);
  region.operations.seen(id);
  if (!stack) return absent(region, id);
  region.eventQueueOf(stack.arn)?.receiveWith(region.clients);
  if (phaseOf(stack.status).kind === 'busy')
    return inProgress(region, stack, await readView(region, stack, { maxAgeMs: readMs }));
  return ended(region, stack, readMs);
}

function absent(region: Region, id: string): Observation {
  region.operations.forget(id);
  return { kind: 'absent', view: { ...emptyView, stores: [] } };
}

/** CloudFormation accepted an operation after the last read, which is all that is known until the next read. */
async function justAccepted(
  region: Region,
  { doing, version }: AcceptedOperation,
  stack: CloudStack | undefined,
): Promise<Observation> {
  const view = stack ? await readView(region, stack, { maxAgeMs: region.pollMs }) : emptyView;
  return { kind: 'busy', doing, version, lookAgainMs: region.pollMs, view };
}

async function inProgress(region: Region, stack: CloudStack, view: StackView): Promise<Observation> {
  region.operations.changes(stack.stackId);
  const { doing } = phaseOf(stack.status);
  const age = region.clock.now() - stack.updatedAt;
  const waitMs = pollWithEvents(region.pollMs);
  const mayWait = region.eventQueueOf(stack.arn)?.mayWait(stack.stackId, waitMs) ?? false;
  const lookAgainMs = mayWait ? waitMs : pollAfter(region.pollMs, age);
  const busy = { kind: 'busy', doing, version: stack.version, lookAgainMs, view } as const;
  if (!isUndoing(stack.status)) return busy;
  const history = await readUnlessDeleted(region, stack);
  return {
    ...busy,
    version: history.version ?? stack.version,
    undoing: undoingOf(stack, history),
    view: { ...view, events: history.events },
  };
}

const historyOf = (region: Region, stack: CloudStack): Promise<OperationHistory> =>
  region.operations.history(stack.stackId, {
    state: `${stack.arn} ${stack.status} ${stack.updatedAt}`,
    isSettled: phaseOf(stack.status).kind === 'settled',
    none: emptyHistory,
    read: () => readUnlessDeleted(region, stack),
  });

const readUnlessDeleted = (region: Region, stack: CloudStack): Promise<OperationHistory> =>
  readAll(region, stack).catch((cause: unknown) => {
    // The stack was deleted just now; the next poll shows it.
    if (errorName(cause) === 'ValidationError') return emptyHistory;
    throw isRejection(cause) ? unobservable(cause) : cause;
  });

/** After a failure, only CloudFormation's list of resources shows all stores. */
async function readAll(region: Region, stack: CloudStack): Promise<OperationHistory> {
  const history = await readHistory(region, stack);
  if (phaseOf(stack.status).kind !== 'broken') return history;
  return { ...history, places: await placesInStack(region, stack) };
}

/** A stack that may have been read just before an event is looked at again soon. */
const lookAgainAtIdle = ({ eventQueueOf, pollMs }: Region, { arn }: CloudStack): { lookAgainMs?: number } =>
  eventQueueOf(arn)?.heardJustNow() ? { lookAgainMs: pollMs } : {};

async function ended(region: Region, stack: CloudStack, maxAgeMs: number): Promise<Observation> {
  const { kind } = phaseOf(stack.status);
  const { places, ...history } = await historyOf(region, stack);
  const view = await readView(region, stack, { maxAgeMs, ...(places ? { places } : {}) });
  const withEvents = { ...view, events: history.events };
  if (kind !== 'settled') return broken(stack, history, withEvents);
  const { version } = stack;
  const small = await findSmallVolumes(region, stack, maxAgeMs);
  if (small.size > 0) return { kind: 'unfinished', doing: 'apply', version, view: withEvents };
  return { kind, version, ...lookAgainAtIdle(region, stack), view: withEvents };
}

function broken(stack: CloudStack, history: OperationHistory, view: StackView): Observation {
  const { doing, move } = phaseOf(stack.status);
  return {
    kind: 'broken',
    doing,
    // After a rollback the stack is at the previous version; the broken one is the version that was tried.
    version: history.version ?? stack.version,
    reason: brokenReason(stack, history),
    terminal: true,
    // Another version can be tried only after the rollback or deletion is finished.
    blocked: move === 'finish-rollback' || doing === 'remove',
    view,
  };
}
