import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Browser } from '../../openid/browser.ts';
import { useSingleSignOn } from '../../openid/sso.ts';
import type { Json } from '../served-almanac.ts';

const sso = useSingleSignOn({ ALM_OIDC_ROLES: 'all=admin' });
const ann = { sub: 'person-1', preferred_username: 'ann', groups: ['all'] };

/** What a page of the console does: leave for the provider, and come back with a code. */
async function codeFor(person: typeof ann, clientId = 'console') {
  const { url } = sso.almanac;
  sso.provider.person = person;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${url}/console/`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const end = await new Browser().follow(`${url}/v3/sign_in/oidc?${query.toString()}`, `${url}/console/`);
  return { code: end.searchParams.get('code') ?? '', code_verifier: verifier };
}

const enter = (json: object) => sso.almanac.call('POST', '/v3/session', { json });

const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

it('a page signs a person in with the code of the provider, as a session that lists itself as the console', async () => {
  const answer = await enter(await codeFor(ann));
  expect(answer.status).toBe(204);
  const headers = { cookie: cookieOf(answer.headers), 'sec-fetch-site': 'same-origin' };
  const session = await sso.almanac.call('GET', '/v3/session', { headers });
  expect(session.body).toMatchObject({ user: { name: 'ann', master: false } });
  expect(session.body.renewable_until).toEqual(expect.any(String));
  const tokens = await sso.almanac.call<Json[]>('GET', '/v3/token', { headers });
  expect(tokens.body).toMatchObject([{ client_id: 'console', grant_type: 'authorization_code' }]);
});

it('the session tells pages where single sign-on starts', async () => {
  const { body } = await sso.almanac.call('GET', '/v3/session');
  expect(body.sign_in).toMatchObject({ password: true, openid: '/v3/sign_in/oidc' });
});

it('a code is valid once, with its own verifier, and for the client that asked for it', async () => {
  const used = await codeFor(ann);
  expect((await enter(used)).status).toBe(204);
  expect((await enter(used)).status).toBe(400);
  expect((await enter({ ...(await codeFor(ann)), code_verifier: 'wrong' })).status).toBe(400);
  expect((await enter(await codeFor(ann, 'alm'))).status).toBe(400);
});

it('a request with neither a code nor a name, or with half of either, says what is missing', async () => {
  const problemOf = async (json: object) => (await enter(json)).body.message;
  expect(await problemOf({})).toBe('username not specified');
  expect(await problemOf({ username: 'root' })).toBe('password not specified');
  expect(await problemOf({ code: 'x' })).toBe('code_verifier not specified');
});
