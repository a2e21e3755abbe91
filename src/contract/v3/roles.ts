import { Type } from 'typebox';
import { route } from '../route.ts';
import { identifier } from './schemas/identifier.ts';
import {
  role,
  roleContent,
  roleExample,
  roleIdExample,
  roleTemplate,
  savedRole,
  scopeExample,
} from './schemas/role.ts';

const params = Type.Object({ role_id: identifier('Role id.') });
const savedExample = { status: 'success', role_id: roleIdExample };
const contentExample = { name: 'read only', scope: scopeExample };

const missing = { 404: { description: 'The role does not exist.', schema: null } } as const;
const fixed = { 409: { description: 'The role `admin` cannot be changed.', schema: null } } as const;

export const createRole = route({
  name: 'v3CreateRole',
  method: 'POST',
  path: '/v3/role',
  access: 'master',
  proof: 'browser',
  summary: 'Create a role',
  description: 'A role has no effect until it is attached to a user.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: roleContent,
  replies: { 200: { description: 'The role is created.', schema: savedRole } },
  examples: { body: contentExample, reply: savedExample },
});

export const updateRole = route({
  name: 'v3UpdateRole',
  method: 'PUT',
  path: '/v3/role/{role_id}',
  access: 'master',
  proof: 'browser',
  summary: 'Update a role',
  description: 'Takes effect immediately for every user with this role.',
  tag: 'Roles',
  params,
  bodyKind: 'fields',
  body: roleContent,
  replies: { 200: { description: 'The role is updated.', schema: savedRole }, ...missing, ...fixed },
  examples: { body: contentExample, reply: savedExample },
});

export const deleteRole = route({
  name: 'v3DeleteRole',
  method: 'DELETE',
  path: '/v3/role/{role_id}',
  access: 'master',
  proof: 'browser',
  summary: 'Delete a role',
  description: 'Deletes the role and detaches it from all users.',
  tag: 'Roles',
  params,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The role is deleted.',
      schema: Type.Object({ status: Type.String(), role_id: Type.String() }),
    },
    ...missing,
    ...fixed,
  },
  examples: { reply: savedExample },
});

export const listRoles = route({
  name: 'v3ListRoles',
  compressed: true,
  method: 'GET',
  path: '/v3/role',
  access: 'master',
  summary: 'List roles',
  description:
    'Returns the built-in role `admin`, which allows everything, followed by your roles, oldest first.',
  tag: 'Roles',
  bodyKind: 'none',
  replies: { 200: { description: 'The roles.', schema: Type.Array(role) } },
  examples: { reply: [roleExample] },
});

export const listRoleTemplates = route({
  name: 'v3ListRoleTemplates',
  compressed: true,
  method: 'GET',
  path: '/v3/role/templates',
  access: 'self',
  summary: 'List role templates',
  description: 'Returns example scopes for new roles.',
  tag: 'Roles',
  bodyKind: 'none',
  replies: { 200: { description: 'The templates.', schema: Type.Array(roleTemplate) } },
  examples: {
    reply: [{ id: 'readonly', name: 'Read Only Role', scope: JSON.parse(scopeExample) as unknown }],
  },
});

export const roleRoutes = [createRole, updateRole, deleteRole, listRoleTemplates, listRoles] as const;
