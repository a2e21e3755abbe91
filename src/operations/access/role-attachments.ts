import { Failure, notFound } from '../../basics/failure.ts';
import { newUserRoleId } from '../../model/names.ts';
import type { UserRow } from '../../store/access/accounts.ts';
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

/** A role attached to a user. */
interface AttachedRole {
  /** Id of the attachment. */
  id: string;
  roleId: string;
  scope: string;
  createdAt: number;
  updatedAt: number;
}

export interface OwnRoles {
  user: { id: string; username: string };
  roles: AttachedRole[];
}

export interface UserAndRole {
  username: string;
  /** Id of the role. To change an attachment, its own id is accepted as well. */
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

export async function roleToAttach(query: Query, accountId: string, id: string): Promise<RoleRow> {
  if (isDefaultRole(accountId, id)) return keepDefaultRole(query, accountId);
  const role = await findRole(query, accountId, id);
  if (!role) throw notFound('Role', id);
  return role;
}

interface RoleOfUser {
  user: UserRow;
  roleId: string;
}

const saveAttachment = (service: Service, query: Query, { user, roleId }: RoleOfUser): Promise<string> => {
  const now = service.clock.now();
  return upsertUserRole(query, {
    id: newUserRoleId(user.account_id),
    account_id: user.account_id,
    user_id: user.id,
    role_id: roleId,
    created_at: now,
    updated_at: now,
  });
};

/** Makes an operation that changes the roles of a user, serialized with other changes of the account. */
const roleChange =
  (change: (service: Service, query: Query, request: RoleOfUser) => Promise<string>) =>
  (service: Service, { accountId }: Actor, { username, roleId }: UserAndRole): Promise<string> =>
    changeAccess(service, accountId, async (query) =>
      change(service, query, { user: await userNamed(query, accountId, username), roleId }),
    );

/** Returns the attachment's id; the existing one if the user already has the role. */
export const attachRole = roleChange(async (service, query, { user, roleId }) => {
  const role = await roleToAttach(query, user.account_id, roleId);
  return saveAttachment(service, query, { user, roleId: role.id });
});

/** Makes a role the user's only one. Returns the role's id. */
export const attachOnlyRole = roleChange(async (service, query, { user, roleId }) => {
  const accountId = user.account_id;
  const wanted = (await findUserRole(query, accountId, roleId))?.role_id ?? roleId;
  const role = await roleToAttach(query, accountId, wanted);
  const attachmentId = await saveAttachment(service, query, { user, roleId: role.id });
  await deleteOtherUserRoles(query, user.id, attachmentId);
  return shownRoleId(accountId, role.id);
});

/** Returns the role's id. */
export const detachRole = roleChange(async (_service, query, { user, roleId }) => {
  const accountId = user.account_id;
  const stored = storedRoleId(accountId, roleId);
  const attached = await listUserRoles(query, accountId, user.id);
  const attachment = attached.find((row) => row.id === roleId || row.role_id === stored);
  if (!attachment)
    throw new Failure('not_found', `User ${user.username} does not have role ${roleId}`, {
      description: `GET /v3/user/${user.username}/role lists the user's roles.`,
    });
  await deleteUserRole(query, attachment.id);
  return shownRoleId(accountId, attachment.role_id);
});
