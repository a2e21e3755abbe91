import { Failure, notFound } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import { findStack, type StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';

/** What a user, who is no agent, must be allowed to do by hand. */
const actionFor = { read: 'template:describeAlmTemplate', report: 'template:updateAlmTemplate' } as const;

/** A stack's token speaks for that stack alone; anybody else for the stacks of their account, as far as their roles go. */
export async function findStackOfAgent(
  query: Query,
  actor: Actor,
  stackId: string,
  purpose: keyof typeof actionFor,
): Promise<StackRow> {
  if (actor.kind === 'stack' && actor.stackId !== stackId)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: `This token speaks for stack ${actor.stackId} only.`,
    });
  await requireOnStack(query, actor, actionFor[purpose], stackId);
  const stack = await findStack(query, actor.accountId, stackId);
  if (!stack || stack.deleted_at !== null) throw notFound('Stack', stackId);
  return stack;
}
