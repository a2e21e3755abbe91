import { cachedMs, pollAfter } from '../shared/poll.ts';
import type { AcceptedOperation } from '../shared/stack-operations.ts';
import { undoneIn } from '../undone.ts';
import {
  emptyView,
  type Observation,
  type StackOnVendor,
  type StackView,
  type VendorEvent,
} from '../vendor.ts';
import { dataTypes } from './layout/impact.ts';
import { brokenReason, causeOf } from './observe/broken-reason.ts';
import { readHistory } from './observe/events.ts';
import type { CloudStack } from './observe/list-stacks.ts';
import { emptyHistory, type OperationHistory } from './observe/operation-history.ts';
import { readDetails } from './observe/read-details.ts';
import { isUndoing, phaseOf } from './observe/stack-phase.ts';
import { isNotedOnly, plainVersion, stateKey, triedVersion } from './observe/versions.ts';
import { readView } from './observe/view.ts';
import { findCloudStack, type Region, readByName } from './region.ts';

/** `readMs`: reads that are not older are shared with other stacks. */
export async function observe(
  region: Region,
  { id }: StackOnVendor,
  readMs = cachedMs(region.pollMs),
): Promise<Observation> {
  const recent = await findCloudStack(region, id, readMs);
  // Report a missing stack only after a fresh read.
  const { order, value: listed } = recent.value
    ? recent
    : await findCloudStack(region, id, region.pollMs / 5);
  const accepted = region.operations.acceptedSince(id, order);
  if (accepted) return justAccepted(region, accepted, listed);
  const stack = listed ?? (await readByName(region, id));
  region.operations.seen(id);
  if (!stack) return absent(region, id);
  const view = await readView(region, stack, readMs);
  return phaseOf(stack.status).kind === 'busy' ? inProgress(region, stack, view) : ended(region, stack, view);
}

function absent(region: Region, id: string): Observation {
  region.operations.forget(id);
  region.details.delete(id);
  region.conflicts.delete(id);
  return { kind: 'absent', view: { ...emptyView, stores: [] } };
}

/** ROS accepted an operation after the last read, which is all that is known until the next read. */
async function justAccepted(
  region: Region,
  { doing, version }: AcceptedOperation,
  stack: CloudStack | undefined,
): Promise<Observation> {
  const view = stack ? await readView(region, stack, region.pollMs) : emptyView;
  return { kind: 'busy', doing, version, lookAgainMs: region.pollMs, view };
}

const currentVersion = async (region: Region, stack: CloudStack): Promise<string> =>
  plainVersion((await readDetails(region, stack)).rawVersion);

/** A deletion and a creation have the version of the parameter, an update the one that was noted before it. */
async function inProgress(region: Region, stack: CloudStack, view: StackView): Promise<Observation> {
  region.operations.changes(stack.stackId);
  const { doing } = phaseOf(stack.status);
  const tried = doing === 'apply' ? triedVersion(stack) : undefined;
  const version = tried ?? (await currentVersion(region, stack));
  const lookAgainMs = pollAfter(region.pollMs, region.clock.now() - stack.updatedAt);
  const busy = { kind: 'busy', doing, version, lookAgainMs, view } as const;
  if (!isUndoing(stack.status)) return busy;
  const history = await readHistory(region.clients, stack);
  return {
    ...busy,
    undoing: { cause: causeOf(stack, history), progress: undoneIn(history.events, stack.rosId) },
    view: { ...view, events: withVersion(history.events, version) },
  };
}

const historyOf = (region: Region, stack: CloudStack): Promise<OperationHistory> =>
  region.operations.history(stack.stackId, {
    state: stateKey(stack),
    isSettled: phaseOf(stack.status).kind === 'settled',
    none: emptyHistory,
    read: () => readHistory(region.clients, stack),
  });

/** The version that failed. Unknown after an update was noted and did not begin: then every version has an attempt. */
async function brokenVersion(region: Region, stack: CloudStack): Promise<string> {
  if (phaseOf(stack.status).doing === 'remove') return currentVersion(region, stack);
  if (isNotedOnly(stack)) return '';
  return triedVersion(stack) ?? currentVersion(region, stack);
}

/** ROS does not say which version its events are about: they are those of the last operation. Unknown: left out. */
const withVersion = (events: readonly VendorEvent[], version: string): VendorEvent[] =>
  events.map((event) => ({ ...event, ...(version === '' ? {} : { version }) }));

async function ended(region: Region, stack: CloudStack, resources: StackView): Promise<Observation> {
  const { kind, doing } = phaseOf(stack.status);
  const history = await historyOf(region, stack);
  const version = await (kind === 'settled' ? currentVersion(region, stack) : brokenVersion(region, stack));
  const view = { ...resources, events: withVersion(history.events, version) };
  if (kind === 'settled') return { kind, version, view };
  const waitMs = untilRepeated(region, stack);
  if (waitMs !== undefined)
    return waitMs > 0
      ? { kind: 'busy', doing, version, lookAgainMs: waitMs, view }
      : { kind: 'unfinished', doing, version, onlyRemove: stillInUse(stack), view };
  return {
    kind: 'broken',
    doing,
    version,
    reason: withLoss(brokenReason(stack, history), stack, history),
    terminal: true,
    blocked: doing === 'remove' || stack.status === 'ROLLBACK_FAILED',
    view,
  };
}

/** ROS makes what an update had deleted again when it undoes the update, but without its data. */
function withLoss(reason: string, { status }: CloudStack, { deleted, events }: OperationHistory): string {
  const stores = events.filter(
    ({ resourceType, state }) => dataTypes.has(resourceType) && state === 'DELETE_COMPLETE',
  );
  const lost = deleted.filter((name) => stores.some(({ resource }) => resource === name));
  if (lost.length === 0 || !/^(ROLLBACK|UPDATE)_/.test(status)) return reason;
  return `${reason.replace(/\.$/, '')}. The update had deleted ${lost.join(' and ')} before: the data is gone, and what is there under the same name is empty.`;
}

/** A network may still see parts that were deleted up to a minute ago. */
const repeatDeletionMs = 60_000;

/** When a deletion that found something in use is repeated, which is done once; undefined: it is not. */
function untilRepeated(
  { conflicts, clock }: Region,
  { stackId, status, failure }: CloudStack,
): number | undefined {
  if (status !== 'DELETE_FAILED' || !failure?.code.startsWith('DependencyViolation')) return undefined;
  const known = conflicts.get(stackId) ?? { at: clock.now(), isRepeated: false };
  conflicts.set(stackId, known);
  return known.isRepeated ? undefined : Math.max(0, known.at + repeatDeletionMs - clock.now());
}

/** For a stack that should exist. */
const stillInUse = ({ failure }: CloudStack): string =>
  `The deletion of the stack was started outside Almanac and failed: ${failure?.resource}: ${failure?.message} ` +
  'Delete the stack; after that, an update creates it again.';
