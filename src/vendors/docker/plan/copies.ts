import type { DockerDocument } from '../document.ts';
import { onEngine } from '../names.ts';
import type { ObservedStack, ObservedVolume, StackContainer } from '../observed-stack.ts';
import type { Step } from './steps.ts';

/** A copy that ended without success. Another attempt starts from the beginning. */
export const isFailedCopy = ({ kind, state, ready }: StackContainer): boolean =>
  kind === 'copy' && state === 'ended' && !ready;

interface CopyState {
  volume: ObservedVolume;
  copy: StackContainer | undefined;
  /** Something mounts the volume: it is complete. */
  isUsed: boolean;
}

function copyStates(stackId: string, document: DockerDocument, observed: ObservedStack): CopyState[] {
  const needed = new Set(document.volumes.map((volume) => onEngine(stackId, volume)));
  return observed.volumes
    .filter(({ name, restoredFrom }) => needed.has(name) && restoredFrom !== '')
    .map((volume) => {
      const users = observed.containers.filter((container) => container.volume === volume.name);
      const copy = users.find(({ kind }) => kind === 'copy');
      return { volume, copy, isUsed: users.some(({ kind }) => kind !== 'copy') };
    });
}

/** A complete copy stays until something uses its volume: its container is all that says so. */
function stepsFor({ volume, copy, isUsed }: CopyState): Step[] {
  if (!copy) return isUsed ? [] : [{ do: 'copy-volume', volume: volume.name, from: volume.restoredFrom }];
  const isOver = isUsed || copy.state === 'created' || isFailedCopy(copy);
  return isOver ? [{ do: 'remove', container: copy.id, seconds: 0 }] : [];
}

/** The steps that fill new volumes with the data of kept ones, and whether everything else must wait for them. */
export function planCopies(
  stackId: string,
  document: DockerDocument,
  observed: ObservedStack,
): { steps: Step[]; isWaiting: boolean } {
  const states = copyStates(stackId, document, observed);
  return {
    steps: states.flatMap(stepsFor),
    isWaiting: states.some(({ copy, isUsed }) => !isUsed && !copy?.ready),
  };
}
