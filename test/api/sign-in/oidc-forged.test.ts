import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Browser, redirectUri, startOf } from '../../openid/browser.ts';
import { client } from '../../openid/client.ts';
import { type Claims, type Forgery, ForgingProvider } from '../../openid/forging-provider.ts';

import { first, ServedAlmanac } from '../served-almanac.ts';

let provider: ForgingProvider;
let almanac: ServedAlmanac;
beforeAll(async () => {
  provider = await ForgingProvider.listen();
  almanac = await ServedAlmanac.start({ environment: provider.environment() });
});
afterEach(() => void (provider.forgery = {}));
afterAll(async () => {
  provider.close();
  await almanac.close();
});

const visit = async (): Promise<URLSearchParams> =>
  (await new Browser().follow(startOf(almanac.url).address, redirectUri)).searchParams;

const past = Math.floor(Date.now() / 1000) - 3600;
const claiming = (changes: Claims): Forgery => ({ claims: (honest) => ({ ...honest, ...changes }) });

it('the unchanged reply of this provider is accepted', async () => {
  expect((await visit()).get('error_description')).toBeNull();
});

const forgeries: [name: string, forgery: Forgery][] = [
  ['another nonce', claiming({ nonce: 'other' })],
  ['no nonce', claiming({ nonce: undefined })],
  ['another audience', claiming({ aud: 'another client' })],
  ['several audiences and another authorized party', claiming({ aud: [client.client_id, 'x'], azp: 'x' })],
  ['another issuer', claiming({ iss: 'https://evil.example' })],
  ['an expired time', claiming({ iat: past - 60, exp: past })],
  ['no expiry', claiming({ exp: undefined })],
  ['a time in the future', claiming({ nbf: past + 7200 })],
  ['no subject', claiming({ sub: undefined })],
  ['a subject with NUL', claiming({ sub: 'per\0son' })],
  ['alg none and no signature', { header: { alg: 'none' }, signWith: 'nothing' }],
  ['no signature', { signWith: 'nothing' }],
  ['a signature with an unpublished key', { signWith: 'other' }],
  ['a signature with the client secret', { header: { alg: 'HS256' }, signWith: 'client secret' }],
  ['an unknown key id', { header: { kid: 'unknown' }, signWith: 'other' }],
];

it.each(forgeries)('an ID token with %s is refused', async (_name, forgery) => {
  provider.forgery = forgery;
  const end = await visit();
  expect(end.get('code')).toBeNull();
  expect(end.get('error')).toBe('access_denied');
  expect(end.get('error_description')).toContain('The reply of the OpenID provider is not valid');
  expect(end.get('error_description')).not.toContain(client.client_secret);
});

it('a key that the provider rotated is accepted at once', async () => {
  await visit();
  provider.rotateKey();
  expect((await visit()).get('error_description')).toBeNull();
});

it.each(['/token', '/keys'])('an outage of %s of the provider is reported to the client', async (path) => {
  provider.forgery = { status: { [path]: 500 } };
  const end = await visit();
  expect(end.get('error')).toBe('temporarily_unavailable');
  expect(end.get('error_description')).toContain('cannot be reached or does not work');
});

it.each(['/token', '/keys'])(
  'a reply of %s of the provider with more than 1 MiB is not read to its end',
  async (path) => {
    provider.forgery = { padding: { [path]: 1024 * 1024 } };
    const end = await visit();
    expect(end.get('error')).toBe('temporarily_unavailable');
    expect(end.get('error_description')).toContain('cannot be reached or does not work');
  },
);

describe('a provider that is down', () => {
  it('returns 503 with the reason, and sign-in with a password still works', async () => {
    const gone = await ForgingProvider.listen();
    gone.close();
    const other = await ServedAlmanac.start({ environment: gone.environment() });
    try {
      const answer = await new Browser().get(startOf(other.url).address);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        error: 'unavailable',
        message: `The OpenID provider ${gone.issuer} cannot be reached or does not work`,
        description: expect.stringContaining('Sign in with a password'),
      });
      expect(await other.newToken({ ...first, grant_type: 'password' })).toMatch(/^alm_/);
    } finally {
      await other.close();
    }
  });
});

describe('settings', () => {
  const starting = async (more: Record<string, string>): Promise<string> => {
    const served = new ServedAlmanac({ environment: { ...provider.environment(), ...more } });
    try {
      await served.start();
    } catch (error) {
      return String(error);
    }
    await served.close();
    return 'started';
  };

  it.each([
    [{ ALM_OIDC_ISSUER: 'http://login.example.com' }, 'ALM_OIDC_ISSUER must be an https:// URL'],
    [{ ALM_OIDC_ISSUER: 'login.example.com' }, 'ALM_OIDC_ISSUER must be an https:// URL'],
    [{ ALM_OIDC_CLIENT_ID: '' }, 'ALM_OIDC_CLIENT_ID must be set'],
    [{ ALM_OIDC_SCOPE: 'profile' }, 'ALM_OIDC_SCOPE must include openid'],
    [{ ALM_OIDC_ROLES: 'devs' }, 'ALM_OIDC_ROLES must be group=role'],
  ])('the server refuses to start with %o', async (settings, reason) => {
    expect(await starting(settings)).toContain(reason);
  });

  it('people without a linked user cannot sign in with ALM_OIDC_CREATE_USERS=0', async () => {
    const closed = await ServedAlmanac.start({
      environment: { ...provider.environment(), ALM_OIDC_CREATE_USERS: '0' },
    });
    try {
      const end = await new Browser().follow(startOf(closed.url).address, redirectUri);
      expect(end.searchParams.get('error_description')).toContain(
        `alm user link <name> --subject person-1 --issuer ${provider.issuer}`,
      );
    } finally {
      await closed.close();
    }
  });
});
