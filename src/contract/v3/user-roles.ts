import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier, identifierOrNothing } from './schemas/identifier.ts';
import {
  role,
  roleExample,
  roleIdExample,
  userRole,
  userRoleExample,
  userRoleIdExample,
} from './schemas/role.ts';

const username = identifier('Of the user.');
const inPath = Type.Object({
  role_id: identifier('Of the role; the `user_role_id` of an attachment means its role.'),
});
const roleNamed = Type.Object({ status: Type.String(), role_id: Type.String() });
const roleNamedExample = { status: 'success', role_id: roleIdExample };
const missing = { 404: { description: 'There is no such user or role.', schema: null } } as const;

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
      description: 'Your roles, first attached first; none at all is `[]`.',
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
    200: { description: 'The roles, first attached first.', schema: Type.Array(role) },
    404: { description: 'There is no such user.', schema: null },
  },
  examples: { reply: [roleExample] },
});

export const attachRole = route({
  name: 'v3AttachRole',
  method: 'POST',
  path: '/v3/user/role',
  access: 'master',
  summary: 'Attach a role to a user',
  description: 'Beside the roles the user has already. Attached again, it stays the same attachment.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: Type.Object({ username, role_id: identifier('Of the role; `admin` allows everything.') }),
  replies: {
    200: {
      description: 'The user has the role.',
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
  summary: 'Make a role the only one of a user',
  description: 'The user has this role afterwards and no other.',
  tag: 'Roles',
  params: inPath,
  bodyKind: 'fields',
  body: Type.Object({ username }),
  replies: { 200: { description: 'It is the only role.', schema: roleNamed }, ...missing },
  examples: { body: { username: 'ann' }, reply: roleNamedExample },
});

const named = Type.Object({ username: identifierOrNothing('Of the user; required here or there.') });

export const detachRole = route({
  name: 'v3DetachRole',
  method: 'DELETE',
  path: '/v3/user/role/{role_id}',
  access: 'master',
  summary: 'Detach a role from a user',
  description: 'The user is named in the body or in the query.',
  tag: 'Roles',
  params: inPath,
  query: named,
  bodyKind: 'fields',
  body: named,
  replies: {
    200: { description: 'The user no longer has the role.', schema: roleNamed },
    404: { description: 'There is no such user, or it does not have the role.', schema: null },
  },
  examples: { body: { username: 'ann' }, reply: roleNamedExample },
});

export const userRoleRoutes = [listOwnRoles, attachRole, reattachRole, detachRole, listRolesOfUser];
