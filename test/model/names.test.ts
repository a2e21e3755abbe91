import { expect, it } from 'vitest';
import * as names from '../../src/model/names.ts';
import { newNickname } from '../../src/model/nickname.ts';

it.each([
  ['an account', names.newAccountId(), /^[0-9a-f]{13}$/],
  ['a stack', names.newStackId('5447826c870e7', 'us-east-1'), /^mo-5447826c870e7-[0-9A-Za-z]{9}-nv$/],
  ['a stack elsewhere', names.newStackId('5447826c870e7', 'eu-north-1'), /-tk$/],
  ['a client', names.newClientId('5447826c870e7'), /^lg-5447826c870e7-[0-9A-Za-z]{9}-tm$/],
  ['a version', names.newVersionId(), /^[A-Za-z0-9._]{32}$/],
  ['an auth token', names.newAuthToken(), /^[0-9A-Za-z]{28,30}$/],
  ['a nickname', newNickname(), /^[a-z]+ [a-z]+ [a-z]+$/],
  ['a key pair', names.keyPairName('mo-1', 'web0'), /^mo-1-web0$/],
])('the id of %s has the form that clients expect', (_what, id, form) => {
  expect(id).toMatch(form);
});

it('ids are unique', () => {
  expect(new Set(Array.from({ length: 1000 }, () => names.newStackId('a', 'b'))).size).toBe(1000);
});
