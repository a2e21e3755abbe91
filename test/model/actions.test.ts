import { expect, it } from 'vitest';
import { v2Routes } from '../../src/contract/v2.ts';
import { v3Routes } from '../../src/contract/v3.ts';
import {
  actions,
  actionsMatching,
  actionsWithOwner,
  canonicalAction,
  credentialResource,
  stackResources,
  vendorResource,
} from '../../src/model/actions.ts';

it('every action that a route declares is listed', () => {
  const declared = [...v2Routes, ...v3Routes].flatMap(({ access }) =>
    typeof access === 'object' ? [access.action] : [],
  );
  expect(declared).toContain('stack:describeStacks');
  expect(declared.filter((action) => !actions.includes(action))).toEqual([]);
  expect(actionsWithOwner.filter((action) => !actions.includes(action))).toEqual([]);
});

it.each([
  ['stack:createStack', 'template:createAlmTemplate'],
  ['stack:updateStack', 'template:updateAlmTemplate'],
  ['cred:createCredentials::aws', 'cred:createCredential'],
  ['cred:describeCredential', 'cred:describeCredentials'],
  ['stack:describeStack', 'stack:describeStack'],
  ['STACK:deletestack', 'stack:deleteStack'],
  ['view:alm.stack', 'view:alm.stack'],
  ['coffee:brew::aws', 'coffee:brew'],
])('%s is the action %s', (text, action) => {
  expect(canonicalAction(text)).toBe(action);
});

it.each([
  ['stack:describeStack', ['stack:describeStack']],
  ['view:alm.stack', ['stack:describeStacks', 'stack:describeStack', 'stack:describeContainers']],
  ['create:alm.template', ['template:createAlmTemplate']],
  ['delete:alm.stack', ['stack:deleteStack']],
  ['*:credentials', ['cred:describeCredentials', 'cred:createCredential', 'cred:deleteCredential']],
  ['*:describe*Credentials::aws', ['cred:describeCredentials']],
  ['view:user.login', ['user:consoleLoginUser']],
  ['*', actions],
  ['*:*', actions],
  ['coffee:*', []],
])('the pattern %s matches %j', (pattern, expected) => {
  expect(actionsMatching(pattern)).toEqual(expected);
});

it('resources have the names that clients use', () => {
  expect(stackResources('mo-1')).toEqual(['mrn:alm:stack:mo-1', 'mrn:alm:template:mo-1']);
  expect(vendorResource('AWS')).toBe('mrn:vendor:aws');
  expect(credentialResource('AWS', 'AKIA')).toBe('mrn:vendor:aws:cred:AKIA');
});

it.each([
  ['view:alm.registry', ['registry:pull', 'registry:catalog']],
  ['create:alm.registry', ['registry:push']],
  ['edit:alm.registry', ['registry:push']],
  ['delete:alm.registry', ['registry:delete']],
])('%s is an alias of the registry actions %j', (alias, expected) => {
  expect(actionsMatching(alias)).toEqual(expected);
});
