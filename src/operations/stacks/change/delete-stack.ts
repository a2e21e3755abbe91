import { notFound } from '../../../basics/failure.ts';
import { addEvents } from '../../../store/stacks/events.ts';
import { desireDeletion, findStack, type StackRow } from '../../../store/stacks/stacks.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import type { Service } from '../../service.ts';
import {
  refuseStale,
  rememberAnswer,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';

/** Accepted from every state. While it is already under way nothing more is asked; after a failure it is tried again. */
export async function deleteStack(
  service: Service,
  actor: Actor,
  stackId: string,
  language: StackRow['language'],
  conditions: WriteConditions = unconditional,
): Promise<{ stackId: string }> {
  const { database, clock } = service;
  await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findStack(query, actor.accountId, stackId);
    if (!stack || stack.language !== language || stack.deleted_at !== null) throw notFound('Stack', stackId);
    await rememberAnswer(service, query, actor, conditions, { stackId });
    refuseStale(stack, conditions);
    if (stack.status === 'DELETE_IN_PROGRESS') return;
    await desireDeletion(query, stackId, clock.now());
    const message = `${nameOf(actor)} asked to delete the stack.`;
    const request = { at: clock.now(), kind: 'request', status: 'DELETE_IN_PROGRESS', message } as const;
    await addEvents(query, stackId, [{ ...request, versionId: stack.desired_version }]);
  });
  await database.notify('stack-due', stackId);
  return { stackId };
}
