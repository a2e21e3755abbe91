import { Failure, notFound } from '../basics/failure.ts';
import type { Query } from '../store/database.ts';
import { findStack, type StackRow } from '../store/stacks.ts';
import type { Actor } from './access.ts';

/** A stack's token speaks for that stack alone; anybody else for the stacks of their account. */
export async function findStackOfAgent(query: Query, actor: Actor, stackId: string): Promise<StackRow> {
  if (actor.kind === 'stack' && actor.stackId !== stackId)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: `This token speaks for stack ${actor.stackId} only.`,
    });
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.deleted_at !== null) throw notFound('Stack', stackId);
  return stack;
}
