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
  rememberAnswer,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';

const refuse = (message: string, description: string): never => {
  throw new Failure('conflict', message, { description });
};

/** The version to go back to: the last one the stack was seen at rest in. */
function lastSettled({ id, status, desired_version: desired, settled_version: settled }: StackRow): string {
  if (status === 'CREATE_IN_PROGRESS')
    return refuse(
      `Stack ${id} is still being created; there is no update to cancel`,
      'Delete it to stop its creation.',
    );
  if (status !== 'UPDATE_IN_PROGRESS' || settled === desired)
    return refuse(
      `Stack ${id} has no update in progress`,
      'To bring an older template back, roll back to its version.',
    );
  return (
    settled ??
    refuse(
      `Stack ${id} has never been complete; there is no version to go back to`,
      'Send another update, which takes the place of this one, or delete the stack.',
    )
  );
}

/** Only a cancelled update leaves a stack wishing for another version than its newest. */
async function isGoingBack(
  query: Query,
  { id, status, desired_version: desired }: StackRow,
): Promise<boolean> {
  return status === 'UPDATE_IN_PROGRESS' && (await findNewestVersion(query, id))?.id !== desired;
}

async function goBack(service: Service, query: Query, actor: Actor, stack: StackRow): Promise<string> {
  const now = service.clock.now();
  const settled = lastSettled(stack);
  const version = await findVersion(query, stack.id, settled);
  if (!version) throw new Error(`Version ${settled} of stack ${stack.id} is not in the store.`);
  await reviseLayers(service, query, version);
  await desireVersionAgain(query, stack.id, { version: settled, now });
  const message = `${nameOf(actor)} cancelled the update; going back to version ${settled}.`;
  const request = { at: now, kind: 'request', status: 'UPDATE_IN_PROGRESS', message } as const;
  await addEvents(query, stack.id, [{ ...request, versionId: settled }]);
  return settled;
}

/**
 * The stack goes back to the version it last rested in, also when the vendor is in the middle of the update. Asked
 * again while it is on its way there, it simply goes on.
 */
export async function cancelUpdate(
  service: Service,
  actor: Actor,
  stackId: string,
  conditions: WriteConditions = unconditional,
): Promise<Submitted> {
  const { database } = service;
  const submitted = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findUpdatable(query, actor, stackId, 'v3');
    refuseStale(stack, conditions);
    const versionId = (await isGoingBack(query, stack))
      ? stack.desired_version
      : await goBack(service, query, actor, stack);
    await rememberAnswer(service, query, actor, conditions, { stackId, versionId });
    return { stackId, versionId };
  });
  await database.notify('stack-due', stackId);
  return submitted;
}
