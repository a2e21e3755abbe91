import { documentFormats, tableFormats, text, toggle } from '../args/flag.ts';
import type { Group } from '../command.ts';

const user = (about: string, extra = {}) =>
  text('user', about, { value: 'name', complete: 'user', ...extra });
const roleId = text('role-id', 'the role', { value: 'role id', required: true, complete: 'role' });
const scopeFile = text('scope', 'file of the scope, JSON; - reads it from standard input', {
  value: 'file',
  complete: 'file',
});

export const rbacGroup: Group = {
  name: 'rbac',
  about: 'Roles: what users may do',
  commands: [
    {
      path: 'rbac describe',
      about: 'List the roles, or those of one user; for the master account',
      flags: [user('whose roles; all roles when left out')],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm rbac describe', 'alm rbac describe --user ann'],
      load: async () => (await import('../commands/rbac/read.ts')).describeRoles,
    },
    {
      path: 'rbac mine',
      about: 'List your own roles',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm rbac mine'],
      load: async () => (await import('../commands/rbac/read.ts')).describeOwnRoles,
    },
    {
      path: 'rbac sample',
      about: 'Print a sample role',
      flags: [],
      formats: documentFormats,
      examples: ['alm rbac sample --out scope.json'],
      load: async () => (await import('../commands/rbac/read.ts')).printSample,
    },
    {
      path: 'rbac templates',
      about: 'List the scopes to begin with',
      flags: [],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac templates'],
      load: async () => (await import('../commands/rbac/read.ts')).listScopeTemplates,
    },
    {
      path: 'rbac create',
      about: 'Create a role, or a user',
      flags: [
        text('type', 'what to create', { value: 'type', default: 'role', choices: ['role', 'user'] }),
        text('name', 'its name', { value: 'name', required: true }),
        scopeFile,
        toggle('allow-all', 'a role that allows everything; --scope then counts for nothing'),
        text('password', 'of a new user; asked for when left out', { value: 'password' }),
        text('email', 'of a new user', { value: 'address' }),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm rbac create --name readers --scope scope.json',
        'alm rbac create --name all --allow-all',
        'alm rbac create --type user --name ann',
      ],
      load: async () => (await import('../commands/rbac/change.ts')).createRoleOrUser,
    },
    {
      path: 'rbac update',
      about: 'Give a role another name and scope',
      flags: [
        roleId,
        text('name', 'its name', { value: 'name', required: true }),
        scopeFile,
        toggle('allow-all', 'it allows everything; --scope then counts for nothing'),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac update --role-id <role id> --name readers --scope scope.json'],
      load: async () => (await import('../commands/rbac/change.ts')).updateRole,
    },
    {
      path: 'rbac attach',
      about: 'Give a role to a user',
      flags: [user('the user', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac attach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/change.ts')).attachRole,
    },
    {
      path: 'rbac reattach',
      about: 'Make a role the only one of a user',
      flags: [user('the user', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac reattach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/change.ts')).reattachRole,
    },
    {
      path: 'rbac detach',
      about: 'Take a role from a user',
      flags: [user('the user', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac detach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/change.ts')).detachRole,
    },
    {
      path: 'rbac delete',
      about: 'Delete a role, and take it from everybody',
      flags: [roleId],
      positionals: ['role-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac delete --role-id <role id>'],
      load: async () => (await import('../commands/rbac/change.ts')).deleteRole,
    },
  ],
};
