import { Failure } from '../../basics/failure.ts';
import type { Query } from '../../store/database/database.ts';
import type { StackRow } from '../../store/stacks/stacks.ts';
import type { Actor } from '../access/access.ts';
import { requireOnStack } from '../access/permission.ts';
import { findExistingStack } from '../find-stack.ts';

/** Action that a user, in contrast to an agent, must be allowed to perform. */
const actionFor = { read: 'template:describeAlmTemplate', report: 'template:updateAlmTemplate' } as const;

export interface AgentAccess {
  stackId: string;
  purpose: keyof typeof actionFor;
}

/** A stack's token gives access to that stack only; other tokens to the stacks of their account that their roles allow. */
export async function requireAgentAccess(
  query: Query,
  actor: Actor,
  { stackId, purpose }: AgentAccess,
): Promise<void> {
  if (actor.kind === 'stack' && actor.stackId !== stackId)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: `This token is valid for stack ${actor.stackId} only.`,
    });
  await requireOnStack(query, actor, { action: actionFor[purpose], stackId });
}

export async function findStackOfAgent(query: Query, actor: Actor, access: AgentAccess): Promise<StackRow> {
  await requireAgentAccess(query, actor, access);
  return findExistingStack(query, actor.accountId, { stackId: access.stackId });
}
