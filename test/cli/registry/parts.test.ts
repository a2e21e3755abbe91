import { describe, expect, it } from 'vitest';
import { challengeOf } from '../../../src/cli/registry/challenge.ts';
import { trustedRealm } from '../../../src/cli/registry/realm.ts';
import { defaults } from '../../../src/cli/settings/settings.ts';

describe('the token address that a registry names', () => {
  const safeApi = 'https://almanac.example';
  it.each([
    // Over https a registry may name any https address, or this machine.
    ['https://tokens.example/t', safeApi, 'https://images.example', true],
    ['http://127.0.0.1:5001/t', safeApi, 'https://images.example', true],
    ['http://tokens.example/t', safeApi, 'https://images.example', false],
    // The same applies to a registry on this machine.
    ['https://tokens.example/t', safeApi, 'http://127.0.0.1:5000', true],
    ['http://tokens.example/t', safeApi, 'http://localhost:5000', false],
    // Plain http can be forged: only configured hosts are accepted.
    ['https://tokens.example/t', safeApi, 'http://images.example', false],
    ['https://almanac.example/t', safeApi, 'http://images.example', true],
    ['http://images.example:5001/t', safeApi, 'http://images.example:5000', true],
    ['https://images.example/t', safeApi, 'http://images.example', true],
    // A downgrade from https to http is rejected.
    ['http://almanac.example/t', safeApi, 'http://images.example', false],
    ['http://images.example/t', safeApi, 'https://images.example', false],
    // Similar-looking hosts and invalid URLs are rejected.
    ['http://127.0.0.1.evil.example/t', safeApi, 'https://images.example', false],
    ['http://images.example@evil.example/t', safeApi, 'http://images.example', false],
    ['ftp://127.0.0.1/t', safeApi, 'https://images.example', false],
    ['Registry Realm', safeApi, 'https://images.example', false],
  ])('%s with the service %s and the registry %s: trusted is %s', (realm, api, registry, isTrusted) => {
    const ask = () => trustedRealm(realm, { ...defaults, api_url: api, registry_url: registry }).href;
    if (isTrusted) expect(ask()).toBe(new URL(realm).href);
    else expect(ask).toThrow('which is not secure');
  });
});

describe('the challenge of a registry', () => {
  it.each([
    ['Bearer realm="http://a/t",service="r"', { realm: 'http://a/t', service: 'r' }],
    [
      'Bearer realm="http://a/t,b",service="r",scope="repository:x:pull,push",error="insufficient_scope"',
      { realm: 'http://a/t,b', service: 'r', error: 'insufficient_scope' },
    ],
    ['Basic realm="x", bearer  Realm=http://a/t', { realm: 'http://a/t' }],
    ['Bearer realm="a\\"b"', { realm: 'a"b' }],
    ['Bearer', null],
    ['Basic realm="x"', null],
    [undefined, null],
  ])('is parsed from %s', (header, challenge) => {
    expect(challengeOf(header === undefined ? {} : { 'www-authenticate': header })).toEqual(challenge);
  });
});
