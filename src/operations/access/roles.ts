import { Failure, notFound } from '../../basics/failure.ts';
import { at, type Problem } from '../../basics/problem.ts';
import { newRoleId } from '../../model/names.ts';
import { parseScope, roleTemplates } from '../../model/role-scope.ts';
import { deleteRole, insertRole, listRoles, type RoleRow, updateRole } from '../../store/access/roles.ts';
import { listRolesOfUser } from '../../store/access/user-roles.ts';
import type { Service } from '../service.ts';
import type { Actor } from './access.ts';
import { changeAccess } from './access-lock.ts';
import { defaultRole, defaultRoleId, isDefaultRole, shownRoleId } from './default-role.ts';
import { userNamed } from './users.ts';

export interface Role {
  id: string;
  /** Owner of the account. */
  ownerId: string;
  name: string;
  /** The text as it was sent. */
  scope: string;
  createdAt: number;
  updatedAt: number;
}

export interface RoleContent {
  name: string;
  scope: string;
}

export interface SavedRole {
  id: string;
  /** Parts of the scope that are probably mistakes. */
  warnings: readonly string[];
}

const roleOf = (row: RoleRow): Role => ({
  id: shownRoleId(row.account_id, row.id),
  ownerId: row.account_id,
  name: row.name,
  scope: row.scope,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const maxScopeLength = 65_536;
const maxProblemsInMessage = 5;

function malformed(found: readonly Problem[]): Failure {
  const problems = found.map(({ path, message, ...position }) => {
    const where = at('scope', path);
    return { path: where, message: `${where} ${message}`, ...position };
  });
  const messages = problems.slice(0, maxProblemsInMessage).map(({ message }) => message);
  return new Failure('invalid_request', messages.join(' '), {
    description: 'GET /v3/role/templates shows scopes to start from.',
    problems,
  });
}

/** Applies to scopes of roles and to drafts. */
export function refuseLongScope(text: string): void {
  if (text.length > maxScopeLength)
    throw malformed([{ path: '', message: `must have at most ${maxScopeLength} characters.` }]);
}

/** Returns warnings. */
export function checkScope(text: string): readonly string[] {
  refuseLongScope(text);
  const parsed = parseScope(text);
  if (!parsed.ok) throw malformed(parsed.problems);
  return parsed.value.warnings;
}

function refuseDefault(accountId: string, id: string, what: 'changed' | 'deleted'): void {
  if (!isDefaultRole(accountId, id)) return;
  throw new Failure('conflict', `Role ${defaultRoleId} cannot be ${what}`, {
    description: 'Every account has this role. Create your own role and attach that instead.',
  });
}

export async function createRole(
  service: Service,
  { accountId }: Actor,
  { name, scope }: RoleContent,
): Promise<SavedRole> {
  const warnings = checkScope(scope);
  const now = service.clock.now();
  const id = newRoleId(accountId);
  await insertRole(service.database.query, {
    id,
    account_id: accountId,
    name,
    scope,
    created_at: now,
    updated_at: now,
  });
  return { id, warnings };
}

export async function changeRole(
  service: Service,
  { accountId }: Actor,
  { id, name, scope }: RoleContent & { id: string },
): Promise<SavedRole> {
  refuseDefault(accountId, id, 'changed');
  const warnings = checkScope(scope);
  const changes = { name, scope, updated_at: service.clock.now() };
  if (!(await updateRole(service.database.query, { accountId, id }, changes))) throw notFound('Role', id);
  return { id, warnings };
}

export async function removeRole(service: Service, { accountId }: Actor, id: string): Promise<void> {
  refuseDefault(accountId, id, 'deleted');
  await changeAccess(service, accountId, async (query) => {
    if (!(await deleteRole(query, accountId, id))) throw notFound('Role', id);
  });
}

export const describeRoleTemplates = () =>
  roleTemplates.map(({ id, name, scope }) => ({ id, name, scope: { ...scope } }));

/** Lists all roles, the default role first. */
export async function describeRoles(service: Service, { accountId }: Actor): Promise<Role[]> {
  const { query } = service.database;
  const made = (await listRoles(query, accountId)).filter(({ id }) => !isDefaultRole(accountId, id));
  return [await defaultRole(query, accountId), ...made].map(roleOf);
}

export async function describeRolesOf(
  service: Service,
  { accountId }: Actor,
  username: string,
): Promise<Role[]> {
  const { query } = service.database;
  const user = await userNamed(query, accountId, username);
  return (await listRolesOfUser(query, accountId, user.id)).map(roleOf);
}
