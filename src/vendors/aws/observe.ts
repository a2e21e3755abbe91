import { emptyView, type Observation, type StackOnVendor, type StackView } from '../vendor.ts';
import { errorName, isRejection, unobservable } from './errors.ts';
import { brokenReason } from './observe/broken-reason.ts';
import { readHistory } from './observe/events.ts';
import type { CloudStack } from './observe/list-stacks.ts';
import { emptyHistory, type OperationHistory } from './observe/operation-history.ts';
import { phaseOf } from './observe/stack-phase.ts';
import { readView } from './observe/view.ts';
import { cacheHistory, findCloudStack, type Region } from './region.ts';

/** Poll interval of a stack that does not change: it may still be changed by hand. */
const idlePollMs = 600_000;
/** All idle stacks are polled at the same moments, so that they share one read. */
const untilNextIdlePoll = (now: number): number => idlePollMs - (now % idlePollMs);

/** Reads of stacks that are younger than this are shared. */
const cachedMs = (pollMs: number): number => (pollMs * 4) / 5;

/** Back-off: operations that run long often run very long. */
function pollAfter(pollMs: number, ageMs: number): number {
  if (ageMs < 60_000) return pollMs;
  return ageMs < 600_000 ? 3 * pollMs : 6 * pollMs;
}

/** For a stack whose changes are announced by events, in case one is lost. */
const pollWithEvents = (pollMs: number): number => 12 * pollMs;

export async function observe(region: Region, { id }: StackOnVendor): Promise<Observation> {
  const recent = await findCloudStack(region, id, cachedMs(region.pollMs));
  // Report a missing stack only after a fresh read.
  const { order, value: stack } = recent.value ? recent : await findCloudStack(region, id, region.pollMs / 5);
  const accepted = region.accepted.get(id);
  if (accepted && accepted.order > order) return justAccepted(region, accepted, stack);
  region.accepted.delete(id);
  if (!stack) return absent(region, id);
  region.eventQueueOf(stack.arn)?.receiveWith(region.clients);
  const view = await readView(region, stack, cachedMs(region.pollMs));
  return phaseOf(stack.status).kind === 'busy' ? inProgress(region, stack, view) : ended(region, stack, view);
}

function absent(region: Region, id: string): Observation {
  region.changing.delete(id);
  region.histories.delete(id);
  return { kind: 'absent', view: emptyView };
}

/** CloudFormation accepted an operation after the last read, which is all that is known until the next read. */
async function justAccepted(
  region: Region,
  { doing, version }: { doing: 'apply' | 'remove'; version: string },
  stack: CloudStack | undefined,
): Promise<Observation> {
  const view = stack ? await readView(region, stack, region.pollMs) : emptyView;
  return { kind: 'busy', doing, version, lookAgainMs: region.pollMs, view };
}

function inProgress(region: Region, stack: CloudStack, view: StackView): Observation {
  region.changing.add(stack.stackId);
  region.histories.delete(stack.stackId);
  const { doing } = phaseOf(stack.status);
  const age = region.clock.now() - stack.updatedAt;
  const waitMs = pollWithEvents(region.pollMs);
  const mayWait = region.eventQueueOf(stack.arn)?.mayWait(stack.stackId, waitMs) ?? false;
  const lookAgainMs = mayWait ? waitMs : pollAfter(region.pollMs, age);
  return { kind: 'busy', doing, version: stack.version, lookAgainMs, view };
}

/** Reads the events once each time an operation ends. */
async function historyOf(region: Region, stack: CloudStack): Promise<OperationHistory> {
  const state = `${stack.arn} ${stack.status} ${stack.updatedAt}`;
  const known = region.histories.get(stack.stackId);
  if (known?.state === state) return known.history;
  const settled = phaseOf(stack.status).kind === 'settled';
  if (settled && !region.changing.has(stack.stackId)) return emptyHistory;
  const history = await readHistory(region, stack).catch((cause: unknown) => {
    // The stack was deleted just now; the next poll shows it.
    if (errorName(cause) === 'ValidationError') return emptyHistory;
    throw isRejection(cause) ? unobservable(cause) : cause;
  });
  region.changing.delete(stack.stackId);
  cacheHistory(region, stack.stackId, { state, history });
  return history;
}

/** A stack that may have been read just before an event is looked at again soon. */
const lookAgainAtIdle = ({ eventQueueOf, pollMs, clock }: Region, { arn }: CloudStack): number =>
  eventQueueOf(arn)?.heardJustNow() ? pollMs : untilNextIdlePoll(clock.now());

async function ended(region: Region, stack: CloudStack, view: StackView): Promise<Observation> {
  const { kind, doing, move } = phaseOf(stack.status);
  const history = await historyOf(region, stack);
  const withEvents = { ...view, events: history.events };
  if (kind === 'settled')
    return {
      kind,
      version: stack.version,
      lookAgainMs: lookAgainAtIdle(region, stack),
      view: withEvents,
    };
  return {
    kind: 'broken',
    doing,
    // After a rollback the stack is at the previous version; the broken one is the version that was tried.
    version: history.version ?? stack.version,
    reason: brokenReason(stack, history),
    terminal: true,
    // Another version can be tried only after the rollback or deletion is finished.
    blocked: move === 'finish-rollback' || doing === 'remove',
    view: withEvents,
  };
}
