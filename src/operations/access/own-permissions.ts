import { notFound } from '../../basics/failure.ts';
import { actions, isMasterAction, isStackAction } from '../../model/actions.ts';
import type { Decision } from '../../model/decide-access.ts';
import { findStack, type StackRow } from '../../store/stacks/stacks.ts';
import type { Service } from '../service.ts';
import { shownRoleId } from './default-role.ts';
import { masterOnly } from './may-call.ts';
import { decideAtAll, decideOnStack, maySee, noPermission } from './permission.ts';
import type { SignedInUser } from './users.ts';

export interface Permission {
  allowed: boolean;
  /** The deciding statement, as a sentence; if denied, also what to do. */
  reason: string;
}

/** Roles cannot give what only the master may do, whatever their statements name. */
const isClosed = (user: SignedInUser, action: string): boolean => isMasterAction(action) && !user.master;

const decideAbout = (user: SignedInUser, action: string, stack: StackRow | null): Decision =>
  stack !== null && isStackAction(action) ? decideOnStack(user, action, stack) : decideAtAll(user, action);

function explain(user: SignedInUser, action: string, stack: StackRow | null): Permission {
  if (isClosed(user, action)) return { allowed: false, reason: masterOnly };
  const { allowed, why } = decideAbout(user, action, stack);
  return { allowed, reason: allowed ? why : noPermission(action, { why }) };
}

async function visibleStack(service: Service, user: SignedInUser, stackId: string): Promise<StackRow> {
  const stack = await findStack(service.database.query, user.accountId, stackId);
  if (!stack || !maySee(user, stack)) throw notFound('Stack', stackId, { denied: stack !== undefined });
  return stack;
}

/** What the user may do, and why not: with one stack, or without one on any resource. */
export async function explainOwnPermissions(
  service: Service,
  user: SignedInUser,
  stackId: string | null,
): Promise<Record<string, Permission>> {
  const stack = stackId === null ? null : await visibleStack(service, user, stackId);
  return Object.fromEntries(actions.map((action) => [action, explain(user, action, stack)]));
}

/** The roles of the user; none: the default rights apply. */
export const namedRoles = ({ accountId, roles }: SignedInUser): { role_id: string; name: string }[] =>
  roles.flatMap(({ roleId, name }) =>
    roleId === '' ? [] : [{ role_id: shownRoleId(accountId, roleId), name }],
  );

/** Which actions the user may do on at least one resource. */
export const allowedActions = (user: SignedInUser): Record<string, boolean> =>
  Object.fromEntries(actions.map((action) => [action, explain(user, action, null).allowed]));
