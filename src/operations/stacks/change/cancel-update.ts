import { Failure } from '../../../basics/failure.ts';
import type { Query } from '../../../store/database/database.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { desireVersionAgain, type StackRow } from '../../../store/stacks/stacks.ts';
import { findNewestVersion, findVersion } from '../../../store/stacks/versions.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import { reviseLayers } from '../submit/layer-revisions.ts';
import { findUpdatable, type Submitted } from '../submit/submit-document.ts';
import {
  refuseStale,
  rememberResult,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';

const refuse = (message: string, description: string): never => {
  throw new Failure('conflict', message, { description });
};

/** Returns the version to go back to: the last one in which the stack was complete. */
function lastSettled({ id, status, desired_version: desired, settled_version: settled }: StackRow): string {
  if (status === 'CREATE_IN_PROGRESS')
    return refuse(
      `Stack ${id} is still being created; there is no update to cancel`,
      'Delete it to stop its creation.',
    );
  if (status !== 'UPDATE_IN_PROGRESS' || settled === desired)
    return refuse(
      `Stack ${id} has no update in progress`,
      'To restore an older template, roll back to its version.',
    );
  return (
    settled ??
    refuse(
      `Stack ${id} has never been complete; there is no version to go back to`,
      'Send another update, which replaces this one, or delete the stack.',
    )
  );
}

/** Only after a cancelled update is the desired version not the newest one. */
async function isGoingBack(
  query: Query,
  { id, status, desired_version: desired }: StackRow,
): Promise<boolean> {
  return status === 'UPDATE_IN_PROGRESS' && (await findNewestVersion(query, id))?.id !== desired;
}

async function goBack(
  service: Service,
  query: Query,
  { actor, stack }: { actor: Actor; stack: StackRow },
): Promise<string> {
  const now = service.clock.now();
  const settled = lastSettled(stack);
  const version = await findVersion(query, stack.id, settled);
  if (!version)
    return refuse(
      `Version ${settled} of stack ${stack.id}, to which it would go back, is no longer stored`,
      'Send another update, which replaces this one.',
    );
  await reviseLayers(service, query, { version });
  await desireVersionAgain(query, stack.id, { version: settled, now });
  const message = `${nameOf(actor)} cancelled the update; going back to version ${settled}.`;
  const request = { at: now, kind: 'request', status: 'UPDATE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...request, versionId: settled }]);
  return settled;
}

export interface UpdateCancellation {
  stackId: string;
  conditions?: WriteConditions | undefined;
}

/**
 * Makes the last complete version the desired one again, even if the vendor is in the middle of the update. A repeated
 * request changes nothing.
 */
export async function cancelUpdate(
  service: Service,
  actor: Actor,
  { stackId, conditions = unconditional }: UpdateCancellation,
): Promise<Submitted> {
  const { database } = service;
  const submitted = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findUpdatable(query, actor, { stackId, language: 'v3' });
    refuseStale(stack, conditions);
    const versionId = (await isGoingBack(query, stack))
      ? stack.desired_version
      : await goBack(service, query, { actor, stack });
    const result = { stackId, versionId };
    await rememberResult(service, query, { actor, conditions, result });
    return result;
  });
  await database.notify('stack-due', stackId);
  return submitted;
}
