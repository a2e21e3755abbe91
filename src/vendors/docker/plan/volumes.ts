import type { DataChoice } from '../../../model/data-choice.ts';
import type { DockerDocument } from '../document.ts';
import { onEngine } from '../names.ts';
import type { ObservedStack, ObservedVolume } from '../observed-stack.ts';
import type { CleanupStep, Step } from './steps.ts';

/** A kept volume with the name of a needed one is used again: it is what the same database or cache left. */
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

/** What becomes of volumes that nothing needs. Copies, and the disks of single instances, are not kept. */
export const leaveVolumes = (volumes: readonly ObservedVolume[], data: DataChoice): CleanupStep[] =>
  volumes
    .filter(({ kept }) => kept === null)
    .map(({ name, instance, isCopy }) => {
      const isKept = data === 'keep' && instance === '' && !isCopy;
      return { do: isKept ? 'keep-volume' : 'remove-volume', volume: name };
    });

/** What a removal with `data=keep` kept before one with `data=delete`. What an update kept is no longer part of the stack. */
export const keptVolumes = ({ volumes, markers: [newest] }: ObservedStack): ObservedVolume[] =>
  volumes.filter(
    ({ name, kept }) =>
      kept !== null && newest?.document.volumes.some((volume) => onEngine(kept.stackId, volume) === name),
  );

interface Surplus {
  stackId: string;
  document: DockerDocument;
  observed: ObservedStack;
}

/** An update always keeps data: it may be cancelled. */
export function surplusVolumes({ stackId, document, observed }: Surplus): CleanupStep[] {
  const desired = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  const surplus = observed.volumes.filter(({ name, instance }) => instance === '' && !desired.has(name));
  return leaveVolumes(surplus, 'keep');
}
