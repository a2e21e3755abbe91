import { choiceOf, type Release } from '../../data.ts';
import { storeIn } from '../data.ts';
import type { DockerDocument } from '../document.ts';
import { onEngine, stackName } from '../names.ts';
import type { ObservedStack, ObservedVolume } from '../observed-stack.ts';
import type { CleanupStep, Step } from './steps.ts';

/** A kept volume with the name of a needed one is used again: it is what the same database, cache or server left. */
export const neededVolumes = (
  stackId: string,
  { volumes }: DockerDocument,
  observed: ObservedStack,
): Step[] =>
  volumes.flatMap((volume): Step[] => {
    const found = observed.volumes.find(({ name }) => name === onEngine(stackId, volume));
    if (!found) return [{ do: 'make-volume', volume }];
    return found.kept ? [{ do: 'reuse-volume', volume: found.name }] : [];
  });

/** The state that a stack should have. */
export interface Target {
  stackId: string;
  document: DockerDocument;
  /** Stores that go with this version. None: their data is kept. */
  releases?: readonly Release[];
}

/** Agents make volumes for the members of groups, and those of earlier builds also did so for other servers. */
const holdsData = ({ fleets }: DockerDocument, { instance, flag, isCopy }: ObservedVolume): boolean =>
  !isCopy && (instance === '' || fleets.some((fleet) => fleet.flag === flag && !fleet.inGroup));

const isReleased = ({ stackId, releases = [] }: Target, name: string): boolean => {
  const store = storeIn(name.slice(stackName(stackId).length + 1));
  return store !== undefined && choiceOf(releases, store.resource) === 'delete';
};

/** What becomes of volumes that nothing needs: data is kept, unless a caller released exactly this to be deleted. */
export const leaveVolumes = (volumes: readonly ObservedVolume[], target: Target): CleanupStep[] =>
  volumes
    .filter(({ kept }) => kept === null)
    .map((volume) => {
      const isKept = holdsData(target.document, volume) && !isReleased(target, volume.name);
      return { do: isKept ? 'keep-volume' : 'remove-volume', volume: volume.name };
    });

/** What a removal kept before one that deletes it. What an update kept is no longer part of the stack. */
export const keptVolumes = ({ volumes }: ObservedStack, target: Target): ObservedVolume[] => {
  const { stackId, document } = target;
  const own = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  return volumes.filter(({ name, kept }) => kept !== null && own.has(name) && isReleased(target, name));
};

/** Last, when the new version serves: until then, the update may be cancelled and the version before needs them. */
export function surplusVolumes(target: Target, observed: ObservedStack): CleanupStep[] {
  const { stackId, document } = target;
  const desired = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  const surplus = observed.volumes.filter(({ name, instance }) => instance === '' && !desired.has(name));
  return leaveVolumes(surplus, target);
}
