import { describe, expect, it } from 'vitest';
import { credentialResource, stackResources, vendorResource } from '../../src/model/actions.ts';
import { type AccessRequest, decide, mayAtAll } from '../../src/model/decide-access.ts';
import { held, written } from './written-scope.ts';

const may = (statements: string, request: Partial<AccessRequest> & { action: string }): boolean =>
  decide(held(written(statements)), { resources: stackResources('mo-1'), caller: 'ann', ...request }).allowed;
const reversed = (statements: string): string => statements.split('; ').toReversed().join('; ');

const look = 'stack:describeStack';
const remove = 'stack:deleteStack';

describe('statements about a stack', () => {
  it.each<[situation: string, statements: string, action: string, allowed: boolean]>([
    ['no statement', '', look, false],
    ['it is allowed', 'Allow stack:describeStack', look, true],
    ['another action is allowed', 'Allow stack:deleteStack', look, false],
    ['everything is allowed', 'Allow *', look, true],
    ['its area is allowed', 'Allow stack:*', look, true],
    ['a part of the name is a wildcard', 'Allow stack:desc*Stack', look, true],
    ['it is written in another case', 'Allow Stack:DescribeStack', look, true],
    ['one stack and many are two actions', 'Allow stack:describeStacks', look, false],
    ['denied, then allowed', 'Deny stack:describeStack; Allow *', look, false],
    ['allowed, then denied', 'Allow *; Deny stack:describeStack', look, false],
    ['denied on another stack', 'Allow *; Deny * on mrn:alm:stack:mo-2', look, true],
    ['allowed on this stack', 'Allow * on mrn:alm:stack:mo-1', look, true],
    ['allowed by the name of its template', 'Allow * on mrn:alm:template:mo-1', look, true],
    ['allowed on another stack', 'Allow * on mrn:alm:stack:mo-11', look, false],
    ['allowed on all stacks', 'Allow * on mrn:alm:stack:*', look, true],
    ['written in capitals', 'Allow * on MRN:ALM:Stack:mo-1', look, true],
    ['ids keep their case', 'Allow * on mrn:alm:stack:MO-1', look, false],
    ['a wildcard within the id', 'Allow * on mrn:alm:stack:m*-1', look, true],
    ['the bare id', 'Allow * on mo-1', look, true],
    ['the bare id of another', 'Allow * on mo-', look, false],
    ['the start of a bare id', 'Allow * on mo-*', look, true],
    ['allowed on credentials only', 'Allow * on mrn:vendor:*', look, false],
    ['the newer action names', 'Allow view:alm.stack', look, true],
    ['the newer action names, another verb', 'Allow edit:alm.stack', look, false],
    ['creating, by the older name', 'Allow stack:createStack', 'template:createAlmTemplate', true],
    ['updating, by the older name', 'Deny stack:updateStack; Allow *', 'template:updateAlmTemplate', false],
    ['permission to view does not include the key', 'Allow view:*', 'stack:describePem', false],
    ['an unlisted action', 'Allow coffee:*', 'coffee:brew', true],
    ['an unlisted action that is not allowed', 'Allow stack:*', 'coffee:brew', false],
  ])('%s: "%s", action %s, allowed: %s', (_situation, statements, action, allowed) => {
    expect(may(statements, { action })).toBe(allowed);
    expect(may(reversed(statements), { action })).toBe(allowed);
  });
});

describe('conditions on the owner', () => {
  it.each<[situation: string, statements: string, owner: string | undefined, allowed: boolean]>([
    ["the caller's own", 'Allow * if _SUBUSER_', 'ann', true],
    ["another user's", 'Allow * if _SUBUSER_', 'bob', false],
    ['an unknown owner', 'Allow * if _SUBUSER_', undefined, false],
    ['a listed owner', 'Allow * if eve,bob', 'bob', true],
    ['a user called like the placeholder', 'Allow * if _SUBUSER_', '_SUBUSER_', false],
    ['a condition narrows a plain allow', 'Allow *; Allow stack:describeStack if _SUBUSER_', 'bob', false],
    [
      'a condition narrows a plain allow to this owner',
      'Allow *; Allow stack:describeStack if _SUBUSER_',
      'ann',
      true,
    ],
    [
      'narrowed on another stack only',
      'Allow *; Allow stack:describeStack on mo-2 if _SUBUSER_',
      'bob',
      true,
    ],
    ['narrowed for another action only', 'Allow *; Allow stack:deleteStack if _SUBUSER_', 'bob', true],
    [
      'narrowed twice, one matches',
      'Allow stack:describeStack if _SUBUSER_; Allow stack:describeStack if bob',
      'bob',
      true,
    ],
    ['denied for this owner', 'Allow *; Deny stack:describeStack if bob', 'bob', false],
    ['denied for another owner', 'Allow *; Deny stack:describeStack if eve', 'bob', true],
    ['denied for the caller', 'Allow *; Deny stack:describeStack if _SUBUSER_', 'ann', false],
  ])('%s: "%s", owner %s, allowed: %s', (_situation, statements, owner, allowed) => {
    expect(may(statements, { action: look, owner })).toBe(allowed);
    expect(may(reversed(statements), { action: look, owner })).toBe(allowed);
  });

  it('do not apply to resources without an owner', () => {
    const statements = 'Allow *; Allow * if _SUBUSER_';
    expect(may(statements, { action: 'template:createAlmTemplate', resources: ['mrn:alm:stack:new'] })).toBe(
      true,
    );
  });
});

describe('credentials', () => {
  const list = 'cred:describeCredentials';
  const resources = [credentialResource('aws', 'AKIA')];
  it.each<[situation: string, statements: string, action: string, allowed: boolean]>([
    ['without vendor', 'Allow cred:describeCredentials', list, true],
    ['with its vendor', 'Allow cred:describeCredentials::aws', list, true],
    ['with another vendor', 'Allow cred:describeCredentials::k5', list, false],
    ['with another vendor, denied', 'Allow *; Deny cred:describeCredentials::k5', list, true],
    ['requested with the vendor', 'Allow cred:describeCredentials', `${list}::AWS`, true],
    ['singular for plural', 'Allow cred:describeCredential::AWS', list, true],
    ['plural for singular', 'Allow cred:deleteCredentials', 'cred:deleteCredential', true],
    ['one credential', 'Allow cred:describeCredentials on mrn:vendor:AWS:cred:AKIA', list, true],
    ['those of a vendor', 'Allow cred:describeCredentials on mrn:vendor:k5:cred:*', list, false],
    ['the newer action names', 'Allow *:credentials on AKIA', list, true],
  ])('%s: "%s", action %s, allowed: %s', (_situation, statements, action, allowed) => {
    expect(may(statements, { action, resources })).toBe(allowed);
  });

  const dependsOn = [
    { action: list, resources },
    { action: 'vendor:describeVendors', resources: [vendorResource('aws')] },
  ];
  it.each<[situation: string, statements: string, allowed: boolean]>([
    ['no statement mentions them', 'Allow stack:*', true],
    ['the credential is denied', 'Allow *; Deny cred:describeCredentials on mrn:vendor:aws:cred:AKIA', false],
    ['another credential is denied', 'Allow *; Deny cred:describeCredentials on mrn:vendor:aws:cred:B', true],
    ['only changing it is denied', 'Allow *; Deny cred:deleteCredential', true],
    ['the vendor is denied', 'Allow *; Deny vendor:* on mrn:vendor:aws', false],
    ['another vendor is denied', 'Allow *; Deny vendor:* on mrn:vendor:k5', true],
  ])(
    'decide about a stack that depends on them, %s: "%s", allowed: %s',
    (_situation, statements, allowed) => {
      expect(may(statements, { action: look, dependsOn })).toBe(allowed);
      expect(
        may(`Allow stack:*; ${statements}`, { action: 'stack:createStack', resources: [], dependsOn }),
      ).toBe(allowed);
    },
  );
});

describe('an action on no single resource', () => {
  const list = 'stack:describeStacks';
  it.each<[situation: string, statements: string, allowed: boolean]>([
    ['no statement', '', false],
    ['allowed on everything', 'Allow stack:describeStacks', true],
    ['allowed on one stack', 'Allow stack:describeStacks on mo-1', true],
    ['allowed on own stacks', 'Allow stack:describeStacks if _SUBUSER_', true],
    ['denied on one stack', 'Allow *; Deny stack:describeStacks on mo-1', true],
    ['denied on everything', 'Allow *; Deny stack:describeStacks', false],
    ['denied for an owner', 'Allow *; Deny stack:describeStacks if bob', true],
  ])('is decided, %s: "%s", allowed: %s', (_situation, statements, allowed) => {
    expect(mayAtAll(held(written(statements)), list).allowed).toBe(allowed);
    expect(may(statements, { action: list, resources: [] })).toBe(allowed);
  });

  it('is denied only for the denied vendor', () => {
    const roles = held(written('Allow *; Deny cred:describeCredentials::aws'));
    expect(mayAtAll(roles, 'cred:describeCredentials').allowed).toBe(true);
    expect(mayAtAll(roles, 'cred:describeCredentials::aws').allowed).toBe(false);
    expect(mayAtAll(roles, 'cred:describeCredentials::k5').allowed).toBe(true);
  });
});

describe('several roles', () => {
  const roles = [
    {
      roleId: 'one',
      name: 'One',
      scope: written('Allow stack:describeStack; Allow stack:deleteStack'),
    },
    {
      roleId: 'two',
      name: 'Two',
      scope: written('Allow template:*; Deny stack:deleteStack'),
    },
  ];
  const ask = (action: string) => decide(roles, { action, resources: stackResources('mo-1'), caller: 'ann' });

  it('allow together, and a deny in one wins over all', () => {
    expect(ask('template:describeAlmTemplate').by).toEqual({ roleId: 'two', statement: 0, effect: 'Allow' });
    expect(ask(remove)).toEqual({
      allowed: false,
      why: 'Statement 1 of role "Two" denies it.',
      by: { roleId: 'two', statement: 1, effect: 'Deny' },
    });
    expect(ask('stack:describePem')).toEqual({ allowed: false, why: 'No statement of a role allows it.' });
  });
});
