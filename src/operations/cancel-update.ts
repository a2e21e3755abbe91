import { Failure } from '../basics/failure.ts';
import type { Query } from '../store/database.ts';
import { addEvents } from '../store/events.ts';
import { desireVersionAgain, type StackRow } from '../store/stacks.ts';
import { findNewestVersion } from '../store/versions.ts';
import { type Actor, nameOf } from './access.ts';
import type { Service } from './service.ts';
import { findUpdatable, type Submitted } from './submit-document.ts';

const refuse = (message: string, description: string): never => {
  throw new Failure('conflict', message, { description });
};

/** The version to go back to: the last one the stack was seen at rest in. */
function lastSettled({ id, status, settled_version: settled }: StackRow): string {
  if (status === 'CREATE_IN_PROGRESS')
    return refuse(
      `Stack ${id} is still being created; there is no update to cancel`,
      'Delete it to stop its creation.',
    );
  if (status !== 'UPDATE_IN_PROGRESS')
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
async function isGoingBack(query: Query, stack: StackRow): Promise<boolean> {
  return (await findNewestVersion(query, stack.id))?.id !== stack.desired_version;
}

/** The stack goes back to the version it last rested in, also when the vendor is in the middle of the update. */
export async function cancelUpdate(service: Service, actor: Actor, stackId: string): Promise<Submitted> {
  const { database, clock } = service;
  const versionId = await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findUpdatable(query, actor, stackId, 'v3');
    const settled = lastSettled(stack);
    if (await isGoingBack(query, stack)) return stack.desired_version;
    await desireVersionAgain(query, stackId, settled, clock.now());
    const message = `${nameOf(actor)} cancelled the update; going back to version ${settled}.`;
    await addEvents(query, stackId, [
      { at: clock.now(), kind: 'request', status: 'UPDATE_IN_PROGRESS', message, versionId: settled },
    ]);
    return settled;
  });
  await database.notify('stack-due', stackId);
  return { stackId, versionId };
}
