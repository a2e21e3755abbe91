import { cachedMs, pollAfter } from '../shared/poll.ts';
import type { AcceptedOperation } from '../shared/stack-operations.ts';
import { emptyView, type Observation, type StackOnVendor, type StackView } from '../vendor.ts';
import { brokenReason, deletedOutside, mayDeleteLater, undoingOf } from './observe/broken-reason.ts';
import { readHistory } from './observe/events.ts';
import { hiddenFailure } from './observe/hidden-failure.ts';
import { leftoversOf } from './observe/leftovers.ts';
import { type HeatStack, readByName } from './observe/list-stacks.ts';
import { isCondemned } from './observe/list-volumes.ts';
import { isLost } from './observe/lost-engine.ts';
import { emptyHistory, type OperationHistory } from './observe/operation-history.ts';
import { isUndoing, phaseOf, type StackPhase } from './observe/stack-phase.ts';
import { stateKey } from './observe/state-key.ts';
import { readStores } from './observe/stores.ts';
import { readView } from './observe/view.ts';
import { findHeatStack, type Region } from './region.ts';
import { explain } from './rest/explain.ts';

/** `readMs`: reads that are not older are shared with other stacks. */
export async function observe(
  region: Region,
  { id }: StackOnVendor,
  readMs = cachedMs(region.pollMs),
): Promise<Observation> {
  const { order, stack } = await find(region, id, readMs);
  const accepted = region.operations.acceptedSince(id, order) ?? startsToDelete(region, id, stack);
  if (accepted) return justAccepted(region, accepted, stack);
  region.operations.seen(id);
  if (!stack) return absent(region, id);
  const view = await readView(region, stack, readMs);
  const { kind, doing } = phaseOf(stack.status);
  // Reported at once: the twins hold resources too.
  if (stack.twins.some((twin) => isUnwanted(region, twin, kind)))
    return { kind: 'unfinished', doing, version: stack.version, lookAgainMs: region.pollMs, view };
  return kind === 'busy' ? inProgress(region, stack, view) : ended(region, stack, view);
}

/** A list finds stacks by tags, which anyone can change. Reports a missing stack only after a read by name. */
async function find(
  region: Region,
  id: string,
  readMs: number,
): Promise<{ order: number; stack: HeatStack | undefined }> {
  const { order, value } = await findHeatStack(region, id, readMs);
  if (value) return { order, stack: value };
  return { order: region.sequence.next(), stack: await readByName(region.client, id) };
}

/** Heat does not repeat a deletion that failed. */
const deleteAgainMs = 300_000;

/** A failed deletion of a twin is repeated only next to a settled stack: in any other, an apply would do more than that. */
function isUnwanted({ clock }: Region, twin: HeatStack, kind: StackPhase['kind']): boolean {
  if (phaseOf(twin.status).doing !== 'remove') return true;
  const hasFailed = phaseOf(twin.status).kind === 'broken';
  return kind === 'settled' && hasFailed && clock.now() - twin.updatedAt >= deleteAgainMs;
}

const isDeleting = ({ status }: HeatStack): boolean => {
  const { kind, doing } = phaseOf(status);
  return kind === 'busy' && doing === 'remove';
};

const deletionStartsMs = 10_000;

/** Heat accepts a deletion before it shows it, and older engines show the end of the creation that it cancelled first. */
function startsToDelete(
  { clock, operations }: Region,
  id: string,
  stack: HeatStack | undefined,
): AcceptedOperation | undefined {
  const accepted = operations.unseen(id);
  if (accepted?.doing !== 'remove' || !stack || isDeleting(stack)) return undefined;
  return clock.now() - accepted.at < deletionStartsMs ? accepted : undefined;
}

async function absent(region: Region, id: string): Promise<Observation> {
  region.operations.forget(id);
  region.outputs.delete(id);
  const { clock, pollMs, sweeps } = region;
  if (clock.now() - (sweeps.get(id)?.at ?? 0) < pollMs)
    return { kind: 'busy', doing: 'remove', version: '', lookAgainMs: pollMs, view: emptyView };
  const { value } = await region.leftovers.get(cachedMs(pollMs));
  const leftovers = leftoversOf(value, id).length > 0;
  const view = { ...emptyView, stores: await readStores(region, id, cachedMs(pollMs)) };
  return { kind: 'absent', view, ...(leftovers ? { leftovers } : {}) };
}

/** Heat accepted an operation after the last read, which is all that is known until the next read. */
async function justAccepted(
  region: Region,
  { doing, version }: AcceptedOperation,
  stack: HeatStack | undefined,
): Promise<Observation> {
  const view = stack ? await readView(region, stack, region.pollMs) : emptyView;
  return { kind: 'busy', doing, version, lookAgainMs: region.pollMs, view };
}

async function inProgress(region: Region, stack: HeatStack, view: StackView): Promise<Observation> {
  region.operations.changes(stack.stackId);
  const { doing } = phaseOf(stack.status);
  const { version, updatedAt } = stack;
  if (await isLost(region, stack))
    return { kind: 'unfinished', doing, version, lookAgainMs: region.pollMs, view };
  const lookAgainMs = pollAfter(region.pollMs, region.clock.now() - updatedAt);
  const busy = { kind: 'busy', doing, version, lookAgainMs, view } as const;
  if (!isUndoing(stack.status)) return busy;
  const history = await readHistory(region.client, stack);
  return {
    ...busy,
    undoing: undoingOf(stack, history),
    view: { ...view, events: history.events },
  };
}

const historyOf = (region: Region, stack: HeatStack): Promise<OperationHistory> =>
  region.operations.history(stack.stackId, {
    state: stateKey(stack),
    isSettled: phaseOf(stack.status).kind === 'settled',
    none: emptyHistory,
    read: () => readHistory(region.client, stack),
  });

/** Without tags, an old engine names the version before one that failed. The new one has one attempt. */
const hidesVersion = ({ isTagged, status }: HeatStack): boolean => !isTagged && status === 'UPDATE_FAILED';

/** Whether the volumes are gone that the version was to delete. Heat leaves them: see `act/data/volumes.ts`. */
async function isCleared(region: Region, { stackId, version }: HeatStack): Promise<boolean> {
  const { value } = await region.volumes.get(cachedMs(region.pollMs));
  return !value.some((volume) => volume.stackId === stackId && isCondemned(volume, version));
}

async function ended(region: Region, stack: HeatStack, view: StackView): Promise<Observation> {
  const { kind, doing } = phaseOf(stack.status);
  const history = await historyOf(region, stack);
  const { version } = stack;
  if (mayDeleteLater(stack)) {
    const onlyRemove = deletedOutside(stack);
    return { kind: 'unfinished', doing, version, lookAgainMs: region.pollMs, onlyRemove, view };
  }
  const withEvents = { ...view, events: history.events };
  const hidden = await hiddenFailure(region, stack);
  if (kind === 'settled' && hidden === undefined)
    return (await isCleared(region, stack))
      ? { kind, version, view: withEvents }
      : { kind: 'unfinished', doing, version, lookAgainMs: region.pollMs, view: withEvents };
  return {
    kind: 'broken',
    doing,
    version,
    reason: hidden === undefined ? brokenReason(stack, history) : explain(hidden),
    terminal: true,
    blocked: doing === 'remove' || hidesVersion(stack),
    view: withEvents,
  };
}
