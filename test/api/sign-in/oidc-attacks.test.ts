import { describe, expect, it } from 'vitest';
import { Browser, redirectUri, startOf } from '../../openid/browser.ts';
import { useSingleSignOn } from '../../openid/sso.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const sso = useSingleSignOn();
const ann = { sub: 'person-1', preferred_username: 'ann' };
const callback = () => `${sso.almanac.url}/v3/sign_in/oidc/callback`;

/** Goes to the provider and stops before the browser returns to Almanac. */
async function returning(browser: Browser): Promise<{ back: URL; verifier: string }> {
  sso.provider.person = ann;
  const { verifier, address } = startOf(sso.almanac.url);
  return { verifier, back: await browser.follow(address, callback()) };
}

describe('the browser', () => {
  it('a callback with a wrong or missing state is refused and signs nobody in', async () => {
    const browser = new Browser();
    const { back } = await returning(browser);
    for (const state of ['wrong', '']) {
      const changed = new URL(back);
      changed.searchParams.set('state', state);
      const answer = await browser.get(changed);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('did not start') });
    }
  });

  it('a callback URL of an attacker signs nobody in, in a browser with or without its own sign-in', async () => {
    const { back } = await returning(new Browser());
    expect((await new Browser().get(back)).status).toBe(400);
    const victim = new Browser();
    await returning(victim);
    expect((await victim.get(back)).status).toBe(400);
  });

  it('a callback works once, and the browser keeps no cookie of a finished sign-in', async () => {
    const browser = new Browser();
    const { back } = await returning(browser);
    const end = await browser.follow(back.href, redirectUri);
    expect(end.searchParams.has('code')).toBe(true);
    expect(browser.cookiesOf(back.href)).not.toContain('almanac_sign_in');
    expect((await browser.get(back)).status).toBe(400);
  });

  it('a cookie that this service did not seal is refused', async () => {
    const { back } = await returning(new Browser());
    const answer = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: 'almanac_sign_in=v1.00000000.AAAA.AAAA.AAAA' },
    });
    expect(answer.status).toBe(400);
  });

  it('the cookie is not readable by scripts and is not sent with requests of other sites', async () => {
    const answer = await new Browser().get(startOf(sso.almanac.url).address);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^almanac_sign_in=v1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a person who cancels at the provider gets back to the client with the reason', async () => {
    const browser = new Browser();
    const { back } = await returning(browser);
    const state = back.searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: sso.provider.issuer });
    const end = await browser.follow(`${callback()}?${query.toString()}`, redirectUri);
    expect(end.searchParams.get('error')).toBe('access_denied');
    expect(end.searchParams.get('error_description')).toContain('refused the sign-in: access_denied');
  });
});

describe('the redirect address', () => {
  it.each([
    'https://evil.example/done',
    'http://127.0.0.1.evil.example/done',
    'http://127.0.0.1@evil.example/done',
    'http://evil.example:80#@127.0.0.1/',
    'http://127.0.0.1:7/done#fragment',
    'https://127.0.0.1:7/done',
    'http://localhost.evil.example/',
    '//evil.example/done',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http:\\\\evil.example\\',
    '',
  ])('%s is refused without a redirect', async (redirect_uri) => {
    const answer = await new Browser().get(startOf(sso.almanac.url, { redirect_uri }).address);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('loopback addresses with any port and pages of this service are accepted', async () => {
    for (const redirect_uri of [
      'http://127.0.0.1:1234/x?y=1',
      'http://[::1]:81/',
      `${sso.almanac.url}/console`,
    ]) {
      const end = await new Browser().follow(
        startOf(sso.almanac.url, { redirect_uri }).address,
        redirect_uri,
      );
      expect(end.searchParams.has('code')).toBe(true);
    }
  });

  it.each([
    ['without a challenge', { code_challenge: '' }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['for an unknown client', { client_id: 'other' }],
    ['for a token instead of a code', { response_type: 'token' }],
  ])('a sign-in %s is refused', async (_name, changes) => {
    expect((await new Browser().get(startOf(sso.almanac.url, changes).address)).status).toBe(400);
  });
});

describe('the code', () => {
  it('a code is valid once, even for two requests at the same time', async () => {
    const { end, verifier } = await sso.visit(ann);
    const code = end.searchParams.get('code');
    const answers = await Promise.all([1, 2, 3, 4].map(() => sso.redeem(code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(3);
    expect((await sso.redeem(code, verifier)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('a wrong verifier is refused and uses the code up', async () => {
    const { end, verifier } = await sso.visit(ann);
    const code = end.searchParams.get('code');
    const wrong = await sso.redeem(
      code,
      verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
    );
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant']);
    expect((await sso.redeem(code, verifier)).body.error).toBe('invalid_grant');
  });

  it('a code is refused for another client, without a verifier, after 60 seconds, and on v2', async () => {
    const codeOf = async () => {
      const { end, verifier } = await sso.visit(ann);
      return [end.searchParams.get('code'), verifier] as const;
    };
    expect((await sso.redeem(...(await codeOf()), { client_id: 'other' })).status).toBe(400);
    expect((await sso.redeem((await codeOf())[0], '')).body.error).toBe('invalid_request');
    const late = await codeOf();
    const { query } = sso.almanac.service.database;
    const { expires_at } = await query.selectFrom('sign_in_codes').selectAll().executeTakeFirstOrThrow();
    expect(expires_at).toBeLessThanOrEqual(sso.almanac.service.clock.now() + 60_000);
    await query.updateTable('sign_in_codes').set({ expires_at: sso.almanac.service.clock.now() }).execute();
    expect((await sso.redeem(...late)).body.error).toBe('invalid_grant');
    const [code, code_verifier] = await codeOf();
    const json = { grant_type: 'authorization_code', client_id: 'alm', code, code_verifier };
    expect((await sso.almanac.call('POST', '/v2/access_token', { json })).status).toBe(400);
  });

  it('the database holds no code, cookie or secret of a sign-in in the clear', async () => {
    const { end } = await sso.visit(ann);
    const rows = await sso.almanac.service.database.query.selectFrom('sign_in_codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(end.searchParams.get('code'));
  });
});

describe('a server without a provider', () => {
  const plain = useServedAlmanac();
  it('says so', async () => {
    const answer = await new Browser().get(startOf(plain.url).address);
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }]);
  });
});
