import type { StoreKind } from '../../../model/data-choice.ts';
import type { ObservedStore } from '../../data.ts';
import { diskOf, storeIn } from '../data.ts';
import { shortId, stackName } from '../names.ts';
import type { ObservedStack, ObservedVolume, StackContainer } from '../observed-stack.ts';

/** A container has this long to become ready: enough to pull an image over a slow connection. */
export const readyTimeoutMs = 10 * 60_000;

/** False only for what was never ready: a database that restarts may hold data, and so may whatever is older than a start takes. */
function hasServed({ kind, phase, ready, state, createdAt }: StackContainer, now: number): boolean {
  const isInService = kind === 'instance' ? phase.kind !== 'starting' : ready;
  return isInService || state === 'ended' || now - createdAt > readyTimeoutMs;
}

/** Instances of an earlier build do not name the volume of their files. */
const usesStore =
  (store: StoreKind, name: string) =>
  ({ kind, volume }: StackContainer): boolean =>
    kind !== 'copy' && (volume === name || (store === 'files' && kind === 'instance' && volume === ''));

/** Kept volumes are no longer part of the stack. Replicas, and volumes that agents make for members of groups, hold no data of their own. */
function storeOf(stackId: string, observed: ObservedStack, now: number) {
  const { doing, usable: known = [] } = observed.markers[0] ?? {};
  return (volume: ObservedVolume): ObservedStore[] => {
    const store = storeIn(volume.name.slice(stackName(stackId).length + 1));
    if (!store || volume.kept !== null || volume.isCopy || volume.instance !== '') return [];
    const users = observed.containers.filter(usesStore(store.kind, volume.name));
    // A removal reads no details. An update may just replace the container.
    const isKnown = doing === 'remove' || known.includes(volume.storeId);
    const usable = isKnown || users.some((each) => hasServed(each, now));
    return [{ ...store, id: volume.storeId, usable, sizeGib: null }];
  };
}

/** An instance of an earlier build does not say whether it is in a group; the document does. */
const isFixed = ({ markers: [newest] }: ObservedStack, { kind, flag, inGroup }: StackContainer): boolean =>
  kind === 'instance' &&
  !inGroup &&
  !newest?.document.fleets.some((fleet) => fleet.flag === flag && fleet.inGroup);

const diskIn = (container: StackContainer, now: number): ObservedStore => ({
  ...diskOf(container.part, container.flag),
  id: shortId(container.id),
  usable: hasServed(container, now),
  sizeGib: null,
});

const disksIn = (observed: ObservedStack, now: number): ObservedStore[] =>
  observed.containers
    .filter((container) => isFixed(observed, container))
    .map((container) => diskIn(container, now));

/** Everything that holds data, from what the engine has: it costs no further call. */
export const storesIn = (stackId: string, observed: ObservedStack, now: number): ObservedStore[] =>
  [...observed.volumes.flatMap(storeOf(stackId, observed, now)), ...disksIn(observed, now)].toSorted(
    (one, other) => (one.id < other.id ? -1 : 1),
  );

/** The ids of volumes that may hold data. Recorded with each version, because its containers may all be new. */
export const usableVolumes = (stackId: string, observed: ObservedStack, now: number): string[] =>
  storesIn(stackId, observed, now)
    .filter(({ kind, usable }) => usable && kind !== 'disk')
    .map(({ id }) => id);
