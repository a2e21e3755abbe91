import { describe, expect, it } from 'vitest';
import { resumeAccount, suspendAccount } from '../../../src/operations/accounts/change-account.ts';
import { AccessCaller, aTime, scopeAllowing } from '../access/access-caller.ts';
import { Tenant } from '../accounts/tenant.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { SecondFactors } from '../sign-in/second-factor-caller.ts';
import { SessionBrowser } from './session-browser.ts';

const almanac = useServedAlmanac();
const master = new AccessCaller(almanac);
const browser = () => new SessionBrowser(almanac);

const nobody = {
  user: null,
  sign_in: { password: true, openid: null, passkeys_off: expect.stringContaining('host name') as unknown },
  registry: { url: null, service: 'almanac-registry' },
  version: expect.any(String),
};

describe('signing in', () => {
  it('a browser gets the token in a cookie that no script can read, and nowhere else', async () => {
    const ann = browser();
    const answer = await ann.signIn();
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^alm=[^;]{20,}; HttpOnly; SameSite=Strict; Path=\/$/),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await ann.send('GET', '/v3/alm/stack')).status).toBe(200);
  });

  it('the token is an ordinary one: valid as a bearer, listed with its browser, in the audit log', async () => {
    const ann = browser();
    await ann.signIn();
    const { body } = await almanac.call<Json[]>('GET', '/v3/token', { token: ann.token });
    expect(body.find(({ current }) => current)).toMatchObject({
      client_id: 'console',
      client_kind: 'sign-in',
      grant_type: 'password',
      user_agent: 'Test browser',
    });
    const audit = await master.call<Json[]>('GET', '/v3/audit?actor=root');
    expect(audit.text).toContain('mrn:alm:client:console');
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { username: 'nobody' }],
  ])('%s gets 401 and no cookie', async (_, proof) => {
    const answer = await browser().signIn(proof);
    expect([answer.status, answer.cookies]).toEqual([401, []]);
    expect(answer.body).toMatchObject({ error: 'unauthorized', message: 'credentials validation failed' });
  });

  it('a missing password gets 400', async () => {
    const answer = await browser().send('POST', '/v3/session', { json: { username: 'root' } });
    expect([answer.status, answer.body.problems]).toEqual([
      400,
      [expect.objectContaining({ path: 'password' })],
    ]);
  });

  it('wrong passwords are throttled', async () => {
    const { username } = await master.makeUser('guessed');
    const tries = [];
    for (let count = 0; count < 6; count += 1)
      tries.push((await browser().signIn({ username, password: 'wrong' })).status);
    expect(tries).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('a user with a second factor needs a code', async () => {
    const factors = new SecondFactors(almanac, master);
    const user = await factors.enrol('careful');
    const { username, password } = user;
    const without = await browser().signIn({ username, password });
    expect([without.status, without.body.error]).toEqual([400, 'mfa_required']);
    expect((await browser().signIn({ username, password, otp: '000000' })).status).toBe(401);
    expect((await browser().signIn({ username, password, otp: factors.codeOf(user) })).status).toBe(204);
  });
});

describe('describing the session', () => {
  it('nobody is signed in without a token, with an invalid one, and with that of a program', async () => {
    expect((await almanac.call('GET', '/v3/session')).body).toEqual(nobody);
    expect((await almanac.call('GET', '/v3/session', { token: 'made-up' })).body).toEqual(nobody);
    const token = await almanac.clientToken();
    expect((await almanac.call('GET', '/v3/session', { token })).body).toEqual(nobody);
  });

  it('a browser learns who it is, until when, and what may be allowed', async () => {
    const ann = browser();
    await ann.signIn();
    const { body, headers } = await ann.send('GET', '/v3/session');
    expect(body).toMatchObject({
      user: { name: 'root', master: true, account_id: expect.any(String) },
      expires_at: expect.stringMatching(aTime),
      renewable_until: expect.stringMatching(aTime),
      actions: { 'stack:deleteStack': true, 'user:createUser': true },
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('a bearer token is described too, and cannot be renewed', async () => {
    const token = await almanac.userToken();
    const { body } = await almanac.call('GET', '/v3/session', { token });
    expect(body).toMatchObject({ user: { name: 'root', master: true }, renewable_until: null });
  });

  it('a personal access token is described with its own expiry', async () => {
    const token = await master.call('POST', '/v3/personal_token', {
      json: { name: 'one', scope: scopeAllowing('stack:describeStacks'), current_password: first.password },
    });
    const { body } = await almanac.call('GET', '/v3/session', { token: String(token.body.token) });
    expect(body).toMatchObject({
      user: { name: 'root', master: false },
      expires_at: token.body.expires,
      actions: { 'stack:describeStacks': true, 'stack:deleteStack': false },
    });
  });

  it('actions of a user follow the roles; what is only for the master is never allowed by a role', async () => {
    const user = await master.makeUser('limited');
    const role_id = await master.makeRole('few', scopeAllowing('stack:describe*', 'user:*', 'role:*'));
    await master.call('POST', '/v3/user/role', { json: { username: user.username, role_id } });
    const { body } = await almanac.call('GET', '/v3/session', { token: user.token });
    expect(body.actions).toMatchObject({
      'stack:describeStacks': true,
      'stack:deleteStack': false,
      'user:createUser': false,
      'role:describeRoles': false,
    });
  });
});

describe('signing out', () => {
  it('ends the token and deletes the cookie', async () => {
    const ann = browser();
    await ann.signIn();
    const { token, cookie } = ann;
    const answer = await ann.send('DELETE', '/v3/session');
    expect([answer.status, answer.cookies]).toEqual([
      204,
      ['alm=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0'],
    ]);
    expect(await master.works(token)).toBe(false);
    ann.cookie = cookie;
    expect((await ann.send('GET', '/v3/session')).body).toEqual(nobody);
    const audit = await master.call('GET', '/v3/audit?actor=root');
    expect(audit.text).toContain('sign-out');
  });

  it('without a valid token only deletes the cookie', async () => {
    const ann = browser();
    ann.cookie = 'alm=expired';
    const answer = await ann.send('DELETE', '/v3/session');
    expect([answer.status, ann.cookie]).toEqual([204, '']);
  });

  it('ends the token and deletes the cookie in a suspended account too', async () => {
    const tenant = await Tenant.create(almanac, 'Late payer');
    await tenant.newUser('locked-out');
    const ann = browser();
    const proof = { username: 'locked-out', password: `password of locked-out in ${tenant.id}` };
    expect((await ann.signIn(proof)).status).toBe(204);
    const { token } = ann;
    await suspendAccount(almanac.service, tenant.id);
    expect((await ann.send('GET', '/v3/alm/stack')).status).toBe(403);
    expect([(await ann.send('DELETE', '/v3/session')).status, ann.cookie]).toEqual([204, '']);
    await resumeAccount(almanac.service, tenant.id);
    expect(await master.works(token)).toBe(false);
    const audit = await tenant.call('GET', '/v3/audit?actor=locked-out');
    expect(audit.text).toContain('sign-out');
  });

  it('is refused to a personal access token and to a program', async () => {
    const made = await master.call('POST', '/v3/personal_token', {
      json: { name: 'two', scope: scopeAllowing('stack:*'), current_password: first.password },
    });
    const token = String(made.body.token);
    expect((await almanac.call('DELETE', '/v3/session', { token })).status).toBe(403);
    expect(await master.works(token)).toBe(true);
    const program = await almanac.clientToken();
    expect((await almanac.call('DELETE', '/v3/session', { token: program })).status).toBe(403);
  });
});

describe('renewing', () => {
  const makeOlder = (hours: number) =>
    almanac.service.database.query
      .updateTable('access_tokens')
      .set((row) => ({
        issued_at: row('issued_at', '-', hours * 3_600_000),
        session_at: row('session_at', '-', hours * 3_600_000),
        expires_at: row('expires_at', '-', hours * 3_600_000),
      }))
      .where('client_id', '=', 'console')
      .execute();

  it('replaces a token that is older than an hour, and ends the old one a minute later', async () => {
    const ann = browser();
    await ann.signIn();
    const old = ann.token;
    const young = await ann.send('POST', '/v3/session/renew');
    expect([young.status, young.cookies]).toEqual([200, []]);
    await makeOlder(2);
    const answer = await ann.send('POST', '/v3/session/renew');
    expect([answer.status, answer.cookies.length]).toEqual([200, 1]);
    expect(ann.token).not.toBe(old);
    expect(answer.body).toEqual({
      expires_at: expect.stringMatching(aTime),
      renewable_until: expect.stringMatching(aTime),
    });
    expect([await master.works(old), await master.works(ann.token)]).toEqual([true, true]);
    const { body } = await almanac.call('GET', '/v3/session', { token: old });
    const left = Date.parse(String(body.expires_at)) - almanac.service.clock.now();
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('a token of another client gets 409, and a request without one 401', async () => {
    const token = await almanac.userToken();
    expect((await almanac.call('POST', '/v3/session/renew', { token })).status).toBe(409);
    expect((await almanac.call('POST', '/v3/session/renew')).status).toBe(401);
  });

  it('is refused to a personal access token', async () => {
    const made = await master.call('POST', '/v3/personal_token', {
      json: { name: 'three', scope: scopeAllowing('stack:*'), current_password: first.password },
    });
    const answer = await almanac.call('POST', '/v3/session/renew', { token: String(made.body.token) });
    expect(answer.status).toBe(403);
  });
});
