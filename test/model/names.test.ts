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

it('a personal access token has a prefix and a checksum that detects a mistyped character', () => {
  const token = names.newPersonalToken();
  expect(token).toMatch(/^almp_[0-9A-Za-z]{42}$/);
  expect(names.isPersonalToken(token)).toBe(true);
  for (let at = 5; at < token.length; at += 1) {
    const typed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
    expect(names.isPersonalToken(typed)).toBe(false);
  }
  // Known value, so that scanners can rely on it.
  expect(names.isPersonalToken('almp_0000000000000000000000000000000000001Jw8e1')).toBe(true);
});

it('ids are unique', () => {
  expect(new Set(Array.from({ length: 1000 }, () => names.newStackId('a', 'b'))).size).toBe(1000);
});
