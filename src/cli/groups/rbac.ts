import { documentFormats, tableFormats, text, toggle, yes } from '../args/flag.ts';
import type { Group } from '../command.ts';
import { rehearsing } from './tools/rehearse.ts';

const user = (about: string, extra = {}) =>
  text('user', about, { value: 'name', complete: 'user', ...extra });
const roleId = text('role-id', 'role ID', { value: 'role id', required: true, complete: 'role' });
const scopeFile = text('scope', 'JSON file with the scope; - reads standard input', {
  value: 'file',
  complete: 'file',
});
const allowAll = toggle('allow-all', 'allow every action on every resource; --scope is ignored');

export const rbacGroup: Group = {
  name: 'rbac',
  about: 'Manage roles, which define what users may do',
  commands: [
    {
      path: 'rbac describe',
      about: 'List all roles, or the roles of one user (master only)',
      flags: [user('list only the roles of this user')],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm rbac describe', 'alm rbac describe --user ann'],
      load: async () => (await import('../commands/rbac/describe.ts')).describeRoles,
    },
    {
      path: 'rbac mine',
      about: 'List your own roles',
      flags: [],
      only: 'v3',
      formats: tableFormats,
      examples: ['alm rbac mine'],
      load: async () => (await import('../commands/rbac/mine.ts')).listOwnRoles,
    },
    {
      path: 'rbac sample',
      about: 'Print a sample role scope',
      flags: [],
      formats: documentFormats,
      examples: ['alm rbac sample --out scope.json'],
      load: async () => (await import('../commands/rbac/sample.ts')).printSample,
    },
    {
      path: 'rbac templates',
      about: 'List predefined role scopes',
      flags: [],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac templates'],
      load: async () => (await import('../commands/rbac/templates.ts')).listScopeTemplates,
    },
    ...rehearsing,
    {
      path: 'rbac create',
      about: 'Create a role or a user',
      flags: [
        text('type', 'what to create', { value: 'type', default: 'role', choices: ['role', 'user'] }),
        text('name', 'name of the role or user', { value: 'name', required: true }),
        scopeFile,
        allowAll,
        text('password', 'password of a new user; prompted if omitted', { value: 'password' }),
        text('email', 'email address of a new user', { value: 'address' }),
      ],
      only: 'v3',
      formats: documentFormats,
      examples: [
        'alm rbac create --name readers --scope scope.json',
        'alm rbac create --name all --allow-all',
        'alm rbac create --type user --name ann',
      ],
      load: async () => (await import('../commands/rbac/create.ts')).createRoleOrUser,
    },
    {
      path: 'rbac update',
      about: 'Update the name and scope of a role',
      flags: [
        roleId,
        text('name', 'name of the role', { value: 'name', required: true }),
        scopeFile,
        allowAll,
      ],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac update --role-id <role id> --name readers --scope scope.json'],
      load: async () => (await import('../commands/rbac/update.ts')).updateRole,
    },
    {
      path: 'rbac attach',
      about: 'Attach a role to a user',
      flags: [user('user name', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac attach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/attach.ts')).attachRole,
    },
    {
      path: 'rbac reattach',
      about: 'Attach a role to a user and detach all their other roles',
      flags: [user('user name', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac reattach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/reattach.ts')).reattachRole,
    },
    {
      path: 'rbac detach',
      about: 'Detach a role from a user',
      flags: [user('user name', { required: true }), roleId],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac detach --user ann --role-id <role id>'],
      load: async () => (await import('../commands/rbac/detach.ts')).detachRole,
    },
    {
      path: 'rbac delete',
      about: 'Delete a role and detach it from all users',
      flags: [roleId, yes],
      positionals: ['role-id'],
      only: 'v3',
      formats: documentFormats,
      examples: ['alm rbac delete --role-id <role id>'],
      load: async () => (await import('../commands/rbac/delete.ts')).deleteRole,
    },
  ],
};
