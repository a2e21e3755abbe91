import { addEvents } from '../../../store/stacks/events.ts';
import { desireDeletion } from '../../../store/stacks/stacks.ts';
import { type Actor, nameOf } from '../../access/access.ts';
import { findExistingStack, type StackReference } from '../../find-stack.ts';
import type { Service } from '../../service.ts';
import {
  refuseStale,
  rememberResult,
  unconditional,
  type WriteConditions,
} from '../submit/write-conditions.ts';

export interface StackDeletion extends StackReference {
  conditions?: WriteConditions | undefined;
}

/** Deletes a stack in any state. While a deletion is in progress a repeat changes nothing; after a failure it retries. */
export async function deleteStack(
  service: Service,
  actor: Actor,
  { stackId, language, conditions = unconditional }: StackDeletion,
): Promise<{ stackId: string }> {
  const { database, clock } = service;
  await database.transaction(async (query) => {
    await database.lock(query, `stack ${stackId}`);
    const stack = await findExistingStack(query, actor.accountId, { stackId, language });
    await rememberResult(service, query, { actor, conditions, result: { stackId } });
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
