import { Failure, notFound } from '../../basics/failure.ts';
import { type Action, repositoryResource } from '../../model/actions.ts';
import type { Decision, HeldRole } from '../../model/decide-access.ts';
import { accountPrefix, namespaceOf, ownerOf } from '../../model/registry/repository-name.ts';
import { ownRepositoriesScope } from '../../model/role-scope.ts';
import { type Caller, decideFor, noPermission } from '../access/permission.ts';

export type RepositoryAction = Extract<Action, 'registry:pull' | 'registry:push' | 'registry:delete'>;

const otherAccount: Decision = { allowed: false, why: 'The repository belongs to another account.' };
const agentsAskElsewhere: Decision = { allowed: false, why: 'The token of a stack has no right to it.' };

const ownNamespace: HeldRole = { roleId: '', name: 'own namespace', scope: ownRepositoriesScope };

/** The name of the user whose namespace the repository is below. */
const userOf = (repository: string, accountId: string, firstAccountId: string): string | undefined =>
  repository.includes('/')
    ? namespaceOf(repository).slice(accountPrefix(accountId, firstAccountId).length)
    : undefined;

/**
 * Whether a user or API client may do this with a repository of its account, by roles or because a user owns its namespace. A deny
 * statement wins in both cases. Public repositories and agents of stacks are decided elsewhere.
 */
export function decideOnRepository(
  caller: Caller,
  firstAccountId: string,
  { action, repository }: { action: RepositoryAction; repository: string },
): Decision {
  const { accountId } = caller;
  if (ownerOf(repository, firstAccountId) !== accountId) return otherAccount;
  if (caller.kind === 'stack') return agentsAskElsewhere;
  const owner = userOf(repository, accountId, firstAccountId);
  const request = { action, resources: [repositoryResource(repository)], owner };
  const byRoles = decideFor(caller, request);
  if (byRoles.allowed || caller.kind !== 'user') return byRoles;
  // Asked separately: a statement with a condition on the owner would narrow the statements of the roles.
  const asOwner = decideFor({ ...caller, roles: [...(caller.roles ?? []), ownNamespace] }, request);
  return asOwner.allowed ? asOwner : byRoles;
}

/** Throws `not_found` if the caller may not see the repository, `forbidden` if it may see but not change it. */
export function requireOnRepository(
  caller: Caller,
  firstAccountId: string,
  { action, repository }: { action: RepositoryAction; repository: string },
): void {
  const seeing = decideOnRepository(caller, firstAccountId, { action: 'registry:pull', repository });
  if (!seeing.allowed) throw notFound('Repository', repository, { denied: seeing !== otherAccount });
  const decision = decideOnRepository(caller, firstAccountId, { action, repository });
  if (!decision.allowed)
    throw new Failure('forbidden', 'RBAC response is limited.', {
      description: noPermission(action, decision),
    });
}
