import { Failure, notFound } from '../../basics/failure.ts';
import { newUserRoleId } from '../../model/names.ts';
import { findRole, type RoleRow } from '../../store/access/roles.ts';
import {
  deleteOtherUserRoles,
  deleteUserRole,
  findUserRole,
  listUserRoles,
  upsertUserRole,
} from '../../store/access/user-roles.ts';
import type { Query } from '../../store/database/database.ts';
import type { Service } from '../service.ts';
import type { Actor } from './access.ts';
import { changeAccess } from './access-lock.ts';
import { isDefaultRole, keepDefaultRole, shownRoleId, storedRoleId } from './default-role.ts';
import { signedInUser, userNamed } from './users.ts';

/** A role as one user holds it. */
export interface HeldRole {
  /** The attachment's own id. */
  id: string;
  roleId: string;
  scope: string;
  createdAt: number;
  updatedAt: number;
}

export interface OwnRoles {
  user: { id: string; username: string };
  roles: HeldRole[];
}

export interface UserAndRole {
  username: string;
  /** The role's id; where an attachment is changed, the attachment's id means its role. */
  roleId: string;
}

export async function describeOwnRoles(service: Service, actor: Actor): Promise<OwnRoles> {
  const { accountId, userId, username } = signedInUser(actor);
  const rows = await listUserRoles(service.database.query, accountId, userId);
  const roles = rows.map((row) => ({
    id: row.id,
    roleId: shownRoleId(accountId, row.role_id),
    scope: row.scope,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
  return { user: { id: userId, username }, roles };
}

async function roleToAttach(query: Query, accountId: string, id: string): Promise<RoleRow> {
  if (isDefaultRole(accountId, id)) return keepDefaultRole(query, accountId);
  const role = await findRole(query, accountId, id);
  if (!role) throw notFound('Role', id);
  return role;
}

const keepAttached = (
  service: Service,
  query: Query,
  { accountId, userId, roleId }: { accountId: string; userId: string; roleId: string },
): Promise<string> => {
  const now = service.clock.now();
  return upsertUserRole(query, {
    id: newUserRoleId(accountId),
    account_id: accountId,
    user_id: userId,
    role_id: roleId,
    created_at: now,
    updated_at: now,
  });
};

/** Gives the attachment's id: the same one when the user has the role already. */
export const attachRole = (
  service: Service,
  { accountId }: Actor,
  { username, roleId }: UserAndRole,
): Promise<string> =>
  changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    const role = await roleToAttach(query, accountId, roleId);
    return keepAttached(service, query, { accountId, userId: user.id, roleId: role.id });
  });

/** From now on the user's only role. Gives the role's id. */
export const attachOnlyRole = (
  service: Service,
  { accountId }: Actor,
  { username, roleId }: UserAndRole,
): Promise<string> =>
  changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    const meant = (await findUserRole(query, accountId, roleId))?.role_id ?? roleId;
    const role = await roleToAttach(query, accountId, meant);
    const kept = await keepAttached(service, query, { accountId, userId: user.id, roleId: role.id });
    await deleteOtherUserRoles(query, user.id, kept);
    return shownRoleId(accountId, role.id);
  });

/** Gives the role's id. */
export const detachRole = (
  service: Service,
  { accountId }: Actor,
  { username, roleId }: UserAndRole,
): Promise<string> =>
  changeAccess(service, accountId, async (query) => {
    const user = await userNamed(query, accountId, username);
    const stored = storedRoleId(accountId, roleId);
    const held = await listUserRoles(query, accountId, user.id);
    const named = held.find((row) => row.id === roleId || row.role_id === stored);
    if (!named)
      throw new Failure('not_found', `User ${user.username} does not have role ${roleId}`, {
        description: `GET /v3/user/${user.username}/role lists the roles attached.`,
      });
    await deleteUserRole(query, named.id);
    return shownRoleId(accountId, named.role_id);
  });
