import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, optionalIdentifier } from './schemas/identifier.ts';
import {
  role,
  roleExample,
  roleIdExample,
  userRole,
  userRoleExample,
  userRoleIdExample,
} from './schemas/role.ts';

const username = identifier('User name.');
const inPath = Type.Object({
  role_id: identifier(
    'Role id. A `user_role_id` is also accepted and identifies the role of that attachment.',
  ),
});
const roleNamed = Type.Object({ status: Type.String(), role_id: Type.String() });
const roleNamedExample = { status: 'success', role_id: roleIdExample };
const missing = { 404: { description: 'The user or role does not exist.', schema: null } } as const;

export const listOwnRoles = route({
  name: 'v3ListOwnRoles',
  method: 'GET',
  path: '/v3/user/role',
  access: 'self',
  summary: 'List your own roles',
  tag: 'Roles',
  bodyKind: 'none',
  replies: {
    200: {
      description: 'Your roles, in the order of attachment. May be empty.',
      schema: Type.Array(userRole),
    },
  },
  examples: { reply: [userRoleExample] },
});

export const listRolesOfUser = route({
  name: 'v3ListRolesOfUser',
  method: 'GET',
  path: '/v3/user/{username}/role',
  access: 'master',
  summary: 'List the roles of a user',
  tag: 'Roles',
  params: Type.Object({ username }),
  bodyKind: 'none',
  replies: {
    200: { description: 'The roles, in the order of attachment.', schema: Type.Array(role) },
    404: { description: 'The user does not exist.', schema: null },
  },
  examples: { reply: [roleExample] },
});

export const attachRole = route({
  name: 'v3AttachRole',
  method: 'POST',
  path: '/v3/user/role',
  access: 'master',
  proof: 'browser',
  summary: 'Attach a role to a user',
  description: 'Adds a role to the roles of a user. Repeating the request returns the same attachment.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({ username, role_id: identifier('Role id. `admin` allows everything.') }),
  replies: {
    200: {
      description: 'The role is attached.',
      schema: Type.Object({ status: Type.String(), user_role_id: Type.String() }),
    },
    ...missing,
  },
  examples: {
    body: { username: 'ann', role_id: roleIdExample },
    reply: { status: 'success', user_role_id: userRoleIdExample },
  },
});

export const reattachRole = route({
  name: 'v3ReattachRole',
  method: 'PUT',
  path: '/v3/user/role/{role_id}',
  access: 'master',
  proof: 'browser',
  summary: 'Replace the roles of a user',
  description: 'Makes the role the only role of the user.',
  tag: 'Roles',
  params: inPath,
  bodyKind: 'fields',
  body: Type.Object({ username }),
  replies: { 200: { description: 'The roles are replaced.', schema: roleNamed }, ...missing },
  examples: { body: { username: 'ann' }, reply: roleNamedExample },
});

const named = Type.Object({ username: optionalIdentifier('User name. Required in the body or query.') });

export const detachRole = route({
  name: 'v3DetachRole',
  method: 'DELETE',
  path: '/v3/user/role/{role_id}',
  access: 'master',
  proof: 'browser',
  summary: 'Detach a role from a user',
  description: 'Set `username` in the body or query.',
  tag: 'Roles',
  params: inPath,
  query: named,
  bodyKind: 'fields',
  body: named,
  replies: {
    200: { description: 'The role is detached.', schema: roleNamed },
    404: { description: 'The user does not exist or does not have the role.', schema: null },
  },
  examples: { body: { username: 'ann' }, reply: roleNamedExample },
});

export const userRoleRoutes = [listOwnRoles, attachRole, reattachRole, detachRole, listRolesOfUser] as const;
