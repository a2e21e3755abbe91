import { describe, expect, it } from 'vitest';
import { decide } from '../../src/model/decide-access.ts';
import { defaultUserScope, readScope, roleTemplates, type Scope } from '../../src/model/role-scope.ts';
import { held } from './written-scope.ts';

describe('built-in scopes', () => {
  const template = (id: string) => {
    const read = readScope(roleTemplates.find((each) => each.id === id)?.scope);
    if (!read.ok) throw new Error(id);
    return read.value.scope;
  };
  const scopes = { admin: template('admin'), user: defaultUserScope, readonly: template('readonly') };
  it.each<[action: string, owner: string, admin: boolean, user: boolean, readonly: boolean]>([
    ['stack:describeStacks', 'bob', true, true, true],
    ['stack:describeStack', 'ann', true, true, true],
    ['stack:describeStack', 'bob', true, false, true],
    ['stack:deleteStack', 'ann', true, true, false],
    ['stack:deleteStack', 'bob', true, false, false],
    ['template:createAlmTemplate', 'ann', true, true, false],
    ['template:updateAlmTemplate', 'bob', true, false, false],
    ['stack:describePem', 'ann', true, true, false],
    ['stack:describePem', 'bob', true, false, false],
    ['stack:readLogs', 'ann', true, true, false],
    ['stack:readLogs', 'bob', true, false, false],
    ['vendor:describeVendors', '', true, true, true],
    ['cred:describeCredentials', '', true, true, true],
    ['cred:createCredential::aws', '', true, false, false],
    ['cred:deleteCredential', '', true, false, false],
    ['role:createRole', '', true, false, false],
    ['user:createUser', '', true, false, false],
    ['userrole:deleteUserRole', '', true, false, false],
    ['user:consoleLoginUser', '', true, true, false],
    ['registry:catalog', '', true, true, false],
    ['registry:pull', 'ann', true, true, false],
    ['registry:pull', 'bob', true, false, false],
    ['registry:push', 'ann', true, true, false],
    ['registry:push', 'bob', true, false, false],
    ['registry:delete', 'bob', true, false, false],
  ])('%s of %s', (action, owner, admin, user, readonly) => {
    const ask = (scope: Scope) =>
      decide(held(scope), { action, resources: ['mrn:any'], owner, caller: 'ann' }).allowed;
    const expected = { admin, user, readonly };
    expect({ admin: ask(scopes.admin), user: ask(scopes.user), readonly: ask(scopes.readonly) }).toEqual(
      expected,
    );
  });

  it('are available as templates', () => {
    expect(roleTemplates.map(({ id, name }) => [id, name])).toEqual([
      ['admin', 'Management Role'],
      ['user', 'User Role'],
      ['readonly', 'Read-Only Role'],
    ]);
    expect(template('user')).toEqual(defaultUserScope);
  });
});
