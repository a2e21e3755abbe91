import { offsetTime } from '../../basics/clock.ts';
import { Failure } from '../../basics/failure.ts';
import type * as roles from '../../contract/v3/roles.ts';
import type * as userRoles from '../../contract/v3/user-roles.ts';
import type { Actor } from '../../operations/access/access.ts';
import {
  attachOnlyRole,
  attachRole,
  describeOwnRoles,
  detachRole,
  type OwnRoles,
} from '../../operations/access/role-attachments.ts';
import {
  changeRole,
  createRole,
  describeRoles,
  describeRolesOf,
  describeRoleTemplates,
  type Role,
  removeRole,
  type SavedRole,
} from '../../operations/access/roles.ts';
import type { Service } from '../../operations/service.ts';
import type { Handlers } from '../http/binding.ts';
import { scopeText } from './input/scope-text.ts';

const readContent = ({ name, scope }: { name: string; scope: unknown }) => ({
  name,
  scope: scopeText(scope),
});

const presentSaved = ({ id, warnings }: SavedRole) => ({
  status: 'success',
  role_id: id,
  ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
});

const presentTimes = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  create_time: offsetTime(createdAt),
  update_time: offsetTime(updatedAt),
});

const presentRole = (role: Role) => ({
  role_id: role.id,
  user_id: role.ownerId,
  name: role.name,
  scope: role.scope,
  ...presentTimes(role),
});

const presentOwn = ({ user, roles: held }: OwnRoles) =>
  held.map((role) => ({
    user_role_id: role.id,
    role_id: role.roleId,
    user: JSON.stringify({ user_id: user.id, username: user.username }),
    scope: role.scope,
    ...presentTimes(role),
  }));

/** Many clients cannot send a body with DELETE. */
function usernameIn(...sources: readonly { username?: string | undefined }[]): string {
  const username = sources.map((source) => source.username).find(Boolean);
  if (username) return username;
  throw new Failure('invalid_request', 'username not specified', {
    description: 'Set username in the body or query.',
    problems: [{ path: 'username', message: 'username not specified' }],
  });
}

export const roleHandlers = (service: Service): Handlers<typeof roles.roleRoutes, Actor> => ({
  createRole: async ({ actor, body }) => presentSaved(await createRole(service, actor, readContent(body))),
  updateRole: async ({ actor, params, body }) =>
    presentSaved(await changeRole(service, actor, { id: params.role_id, ...readContent(body) })),
  deleteRole: async ({ actor, params }) => {
    await removeRole(service, actor, params.role_id);
    return { status: 'success', role_id: params.role_id };
  },
  listRoleTemplates: () => describeRoleTemplates(),
  listRoles: async ({ actor }) => (await describeRoles(service, actor)).map(presentRole),
});

export const userRoleHandlers = (service: Service): Handlers<typeof userRoles.userRoleRoutes, Actor> => ({
  listOwnRoles: async ({ actor }) => presentOwn(await describeOwnRoles(service, actor)),
  attachRole: async ({ actor, body: { username, role_id: roleId } }) => {
    const user_role_id = await attachRole(service, actor, { username, roleId });
    return { status: 'success', user_role_id };
  },
  reattachRole: async ({ actor, params, body: { username } }) => {
    const role_id = await attachOnlyRole(service, actor, { username, roleId: params.role_id });
    return { status: 'success', role_id };
  },
  detachRole: async ({ actor, params, body, query }) => {
    const attachment = { username: usernameIn(body, query), roleId: params.role_id };
    return { status: 'success', role_id: await detachRole(service, actor, attachment) };
  },
  listRolesOfUser: async ({ actor, params }) =>
    (await describeRolesOf(service, actor, params.username)).map(presentRole),
});
