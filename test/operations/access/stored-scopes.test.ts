import { expect, it } from 'vitest';
import { decide } from '../../../src/model/decide-access.ts';
import { heldRole } from '../../../src/operations/access/permission.ts';

const stackActions = [
  'stack:describeStack',
  'stack:describeContainers',
  'stack:describePem',
  'stack:deleteStack',
  'template:updateAlmTemplate',
  'template:describeAlmTemplate',
];
const denied = 'role:* userrole:* user:describe* user:create* user:update* user:delete*'.split(' ');
const ownerFilter = { username: ['_SUBUSER_'] };
/** The template "User Role" as it was before there were repositories. */
const copyOfTemplate = (denies: readonly string[] = []) => ({
  version: '2017-05-05',
  Statement: [
    { Effect: 'Allow', Action: ['*'], Resource: ['*'] },
    { Effect: 'Allow', Action: stackActions, Resource: ['*'], Condition: { ownerFilter } },
    {
      Effect: 'Deny',
      Action: [...denied, 'cred:createCredential', 'cred:deleteCredential', ...denies],
      Resource: ['*'],
    },
  ],
});

const may = (scope: string, action: string, owner: string): boolean =>
  decide([heldRole({ id: 'r', name: 'User Role', scope })], {
    action,
    resources: [`mrn:registry:${owner}/shop`],
    owner,
    caller: 'ann',
  }).allowed;

it.each([0, 2])(
  'a role made from the user template before there were repositories allows only those of the own namespace (indent %s)',
  (indent) => {
    const scope = JSON.stringify(copyOfTemplate(), null, indent);
    for (const action of ['registry:pull', 'registry:push', 'registry:delete'])
      expect([may(scope, action, 'ann'), may(scope, action, 'bob')]).toEqual([true, false]);
    expect(may(scope, 'vendor:describeVendors', 'bob')).toBe(true);
  },
);

it('a scope that differs from the template in anything means what it says', () => {
  const scope = JSON.stringify(copyOfTemplate(['vendor:*']));
  expect(may(scope, 'registry:pull', 'bob')).toBe(true);
  expect(may(scope, 'vendor:describeVendors', 'bob')).toBe(false);
});
