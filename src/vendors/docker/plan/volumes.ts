import type { Release } from '../../data.ts';
import type { DockerDocument } from '../document.ts';
import { onEngine } from '../names.ts';
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

/** By id: a release of a store that is gone says nothing about the next one of the same resource. */
const isReleased = ({ releases = [] }: Target, { storeId }: ObservedVolume): boolean =>
  releases.some((release) => release.storeId === storeId && release.choice === 'delete');

/** What becomes of volumes that nothing needs: data is kept, unless a caller released exactly this to be deleted. */
export const leaveVolumes = (volumes: readonly ObservedVolume[], target: Target): CleanupStep[] =>
  volumes
    .filter(({ kept }) => kept === null)
    .map((volume) => {
      const isKept = holdsData(target.document, volume) && !isReleased(target, volume);
      return { do: isKept ? 'keep-volume' : 'remove-volume', volume: volume.name };
    });

/** What a removal kept before one that deletes it. What an update kept is no longer part of the stack. */
export const keptVolumes = ({ volumes }: ObservedStack, target: Target): ObservedVolume[] => {
  const { stackId, document } = target;
  const own = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  return volumes.filter(
    (volume) => volume.kept !== null && own.has(volume.name) && isReleased(target, volume),
  );
};

/** Last, when the new version serves: until then, the update may be cancelled and the version before needs them. */
export function surplusVolumes(target: Target, observed: ObservedStack): CleanupStep[] {
  const { stackId, document } = target;
  const desired = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  const surplus = observed.volumes.filter(({ name, instance }) => instance === '' && !desired.has(name));
  return leaveVolumes(surplus, target);
}
