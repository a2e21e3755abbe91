import type { HeatStack } from '../observe/list-stacks.ts';
import { isLost } from '../observe/lost-engine.ts';
import { phaseOf } from '../observe/stack-phase.ts';
import type { Region } from '../region.ts';
import { requestDeletion } from './requests.ts';

/** Deletes a stack unless its deletion is in progress. Returns whether it asked for it. */
export async function deleteUnlessDeleting(region: Region, stack: HeatStack): Promise<boolean> {
  const { kind, doing } = phaseOf(stack.status);
  const isDeleting = kind === 'busy' && doing === 'remove';
  if (isDeleting && !(await isLost(region, stack))) return false;
  await requestDeletion(region, stack);
  return true;
}

/** Deletes the younger stacks of a name. They were never in use: only the oldest is observed. */
export async function deleteTwins(region: Region, { twins }: HeatStack): Promise<void> {
  for (const twin of twins) await deleteUnlessDeleting(region, twin);
}
