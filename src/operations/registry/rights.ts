import { repositoryResource } from '../../model/actions.ts';
import type { Decision } from '../../model/decide-access.ts';
import { isBelow, namespaceOf, namespaceOfUser, ownerOf } from '../../model/registry/repository-name.ts';
import type { Actor } from '../access/access.ts';
import { decideFor } from '../access/permission.ts';
import type { RepositoryAction } from './scopes.ts';

export interface RepositoryRequest {
  action: RepositoryAction;
  repository: string;
  firstAccountId: string;
}

type User = Extract<Actor, { kind: 'user' }>;

/** The user whose namespace it is, for conditions of roles. A name without a slash is in no namespace. */
const ownerNameOf = (repository: string): string | undefined =>
  repository.includes('/') ? namespaceOf(repository).replace(/^[0-9a-f]{13}\./, '') : undefined;

const isDenied = ({ by }: Decision): boolean => by?.effect === 'Deny';

/** Users may do everything in their own namespace, unless a statement denies it. A personal access token must allow it as well. */
function userMay(user: User, request: RepositoryRequest): boolean {
  const { repository, action, firstAccountId } = request;
  if (user.master) return true;
  const asked = {
    action: `registry:${action}`,
    resources: [repositoryResource(repository)],
    owner: ownerNameOf(repository),
  };
  const { tokenRoles, ...withoutToken } = user;
  const decision = decideFor(withoutToken, asked);
  const namespace = namespaceOfUser(user, firstAccountId);
  const isOwn = namespace !== null && isBelow(repository, namespace);
  if (!decision.allowed && (!isOwn || isDenied(decision))) return false;
  return tokenRoles === undefined || decideFor({ ...withoutToken, roles: tokenRoles }, asked).allowed;
}

/** Whether users and API clients may do it, on repositories of their own account only. Stacks have no rights here. */
export function mayOnRepository(actor: Actor, request: RepositoryRequest): boolean {
  const { repository, action, firstAccountId } = request;
  if (actor.kind === 'stack' || ownerOf(repository, firstAccountId) !== actor.accountId) return false;
  if (actor.kind === 'user') return userMay(actor, request);
  if (actor.clientKind === 'owner') return true;
  const resources = [repositoryResource(repository)];
  const owner = ownerNameOf(repository);
  return (
    actor.clientKind === 'service' &&
    decideFor(actor, { action: `registry:${action}`, resources, owner }).allowed
  );
}

/** Whether the actor may list the names of all repositories of the account. */
export const mayListRepositories = (actor: Actor): boolean => {
  if (actor.kind === 'stack') return false;
  if (actor.kind === 'client' && actor.clientKind !== 'service') return actor.clientKind === 'owner';
  return decideFor(actor, { action: 'registry:catalog', resources: [repositoryResource('*')] }).allowed;
};
