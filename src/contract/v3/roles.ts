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

const params = Type.Object({ role_id: identifier('Of the role.') });
const savedExample = { status: 'success', role_id: roleIdExample };
const contentExample = { name: 'read only', scope: scopeExample };

const missing = { 404: { description: 'There is none.', schema: null } } as const;
const fixed = { 409: { description: 'Role `admin` stays as it is.', schema: null } } as const;

export const createRole = route({
  name: 'v3CreateRole',
  method: 'POST',
  path: '/v3/role',
  access: 'master',
  summary: 'Create a role',
  description: 'It does nothing until it is attached to a user.',
  tag: 'Roles',
  bodyKind: 'fields',
  body: roleContent,
  replies: { 200: { description: 'The role exists.', schema: savedRole } },
  examples: { body: contentExample, reply: savedExample },
});

export const updateRole = route({
  name: 'v3UpdateRole',
  method: 'PUT',
  path: '/v3/role/{role_id}',
  access: 'master',
  summary: 'Update a role',
  description: 'Counts at once for every user who has it.',
  tag: 'Roles',
  params,
  bodyKind: 'fields',
  body: roleContent,
  replies: { 200: { description: 'The role has the new content.', schema: savedRole }, ...missing, ...fixed },
  examples: { body: contentExample, reply: savedExample },
});

export const deleteRole = route({
  name: 'v3DeleteRole',
  method: 'DELETE',
  path: '/v3/role/{role_id}',
  access: 'master',
  summary: 'Delete a role',
  description: 'It is detached from every user who has it.',
  tag: 'Roles',
  params,
  bodyKind: 'none',
  replies: {
    200: {
      description: 'The role is gone.',
      schema: Type.Object({ status: Type.String(), role_id: Type.String() }),
    },
    ...missing,
    ...fixed,
  },
  examples: { reply: savedExample },
});

export const listRoles = route({
  name: 'v3ListRoles',
  method: 'GET',
  path: '/v3/role',
  access: 'master',
  summary: 'List roles',
  description: 'First the default role `admin`, which allows everything, then yours, oldest first.',
  tag: 'Roles',
  bodyKind: 'none',
  replies: { 200: { description: 'The roles.', schema: Type.Array(role) } },
  examples: { reply: [roleExample] },
});

export const listRoleTemplates = route({
  name: 'v3ListRoleTemplates',
  method: 'GET',
  path: '/v3/role/templates',
  access: 'self',
  summary: 'List scopes to start from',
  tag: 'Roles',
  bodyKind: 'none',
  replies: { 200: { description: 'The templates.', schema: Type.Array(roleTemplate) } },
  examples: {
    reply: [{ id: 'readonly', name: 'Read Only Role', scope: JSON.parse(scopeExample) as unknown }],
  },
});

export const roleRoutes = [createRole, updateRole, deleteRole, listRoleTemplates, listRoles];
