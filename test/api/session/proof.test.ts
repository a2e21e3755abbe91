import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import type { Route } from '../../../src/contract/route.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { SecondFactors } from '../sign-in/second-factor-caller.ts';
import { SessionBrowser } from './session-browser.ts';

const clock = new VirtualClock();
const almanac = useServedAlmanac({ clock });
const minutes = (count: number) => clock.advance(count * 60_000);

const signedIn = async (proof: Parameters<SessionBrowser['signIn']>[0] = {}) => {
  const browser = new SessionBrowser(almanac);
  await browser.signIn(proof);
  return browser;
};
const bearer = () => almanac.newToken({ ...first, grant_type: 'password' });

const routes: readonly Route[] = v3Routes;
const guarded = routes.filter(({ proof }) => proof === 'always' || proof === 'browser');
/** Nothing of this name exists, so that a request that is let through changes nothing. */
const addressOf = ({ path }: Route) =>
  `${path.replace(/\{\w+\}/g, 'nothing')}${path === '/v3/alm/pem' ? '?stack_id=mo-nothing' : ''}`;
const bodyOf = ({ method }: Route) => (method === 'GET' || method === 'DELETE' ? {} : { json: {} });
const newClient = { json: { label: 'new', kind: 'owner' } };

describe('a proof', () => {
  it('of a user with a second factor needs a code', async () => {
    const factors = new SecondFactors(almanac, new AccessCaller(almanac));
    const user = await factors.enrol('careful');
    const { username, password } = user;
    minutes(1);
    const browser = await signedIn({ username, password, otp: factors.codeOf(user) });
    minutes(1);
    const prove = (more: object) =>
      browser.send('POST', '/v3/session/proof', { json: { current_password: password, ...more } });
    expect((await prove({})).body.error).toBe('mfa_required');
    expect((await prove({ otp: factors.codeOf(user) })).status).toBe(200);
  });
});

describe('what gives lasting access', () => {
  it.each(guarded)(
    '$method $path is refused in a session whose last proof is older than 10 minutes',
    async (route) => {
      const browser = await signedIn();
      const send = () => browser.send(route.method, addressOf(route), bodyOf(route));
      expect((await send()).body.error).not.toBe('proof_required');
      minutes(11);
      const { status, body } = await send();
      expect([status, body.code, body.error]).toEqual([403, '4003', 'proof_required']);
      expect(body.description).toContain('POST /v3/session/proof');
    },
  );

  it.each(guarded)(
    '$method $path with a token of 11 minutes is refused only if existing programs do not call it',
    async (route) => {
      const token = await bearer();
      minutes(11);
      const { body } = await almanac.call(route.method, addressOf(route), { token, ...bodyOf(route) });
      expect(body.error === 'proof_required').toBe(route.proof === 'always');
    },
  );

  it('covers clients, users, factors, passkeys, identities, roles, keys, deploy hooks and the end of access', () => {
    expect(guarded.map(({ name }) => name).toSorted()).toEqual([
      'v3AddPasskey',
      'v3AttachClientRole',
      'v3AttachRole',
      'v3BeginPasskey',
      'v3ChangeClientKind',
      'v3CreateClient',
      'v3CreateDeployHook',
      'v3CreateKeyLink',
      'v3CreateRole',
      'v3CreateUser',
      'v3DeletePasskey',
      'v3DeleteRole',
      'v3DetachRole',
      'v3EndRecentAccess',
      'v3HandOverSignIn',
      'v3LinkOpenId',
      'v3ReattachRole',
      'v3RenamePasskey',
      'v3ResetSecondFactor',
      'v3RotateClient',
      'v3UpdateRole',
    ]);
  });

  it('the password of another user is refused without a recent proof, and the own one needs the current password instead', async () => {
    const username = 'other';
    const user = { username, password: 'password of other' };
    await almanac.call('POST', '/v3/user', { token: await bearer(), json: user });
    const browser = await signedIn();
    minutes(11);
    const json = { password: 'a long enough new password' };
    const refused = await browser.send('PUT', `/v3/user/${username}/password`, { json });
    expect([refused.status, refused.body.error]).toEqual([403, 'proof_required']);
    const own = await browser.send('PUT', '/v3/user/root/password', { json });
    expect([own.status, own.body.message]).toEqual([400, 'current_password not specified']);
  });
});

describe('a proof', () => {
  it('with the password lets the request through, for 10 minutes and this session only, and is in the audit log', async () => {
    const [browser, other] = [await signedIn(), await signedIn()];
    minutes(11);
    const proof = await browser.send('POST', '/v3/session/proof', {
      json: { current_password: first.password },
    });
    expect(proof.status).toBe(200);
    minutes(9);
    expect((await browser.send('POST', '/v3/client', newClient)).status).toBe(200);
    expect((await other.send('POST', '/v3/client', newClient)).status).toBe(403);
    minutes(2);
    expect((await browser.send('POST', '/v3/client', newClient)).body.error).toBe('proof_required');
    const audit = await almanac.call('GET', '/v3/audit', { token: await bearer() });
    expect(audit.text).toContain('/v3/session/proof');
  });

  it('outlives the renewal of the session, which is none', async () => {
    const browser = await signedIn();
    minutes(61);
    expect((await browser.send('POST', '/v3/session/renew')).status).toBe(200);
    expect((await browser.send('POST', '/v3/client', newClient)).body.error).toBe('proof_required');
  });

  it('with a wrong password, without one, by nobody and by a personal access token is refused', async () => {
    const browser = await signedIn();
    minutes(11);
    const prove = (json: object) => browser.send('POST', '/v3/session/proof', { json });
    expect((await prove({ current_password: 'wrong' })).body.message).toBe('current_password is wrong');
    expect((await prove({})).status).toBe(400);
    expect((await browser.send('POST', '/v3/client', newClient)).body.error).toBe('proof_required');
    expect((await almanac.call('POST', '/v3/session/proof', { json: {} })).status).toBe(401);
    const made = await almanac.call('POST', '/v3/personal_token', {
      token: browser.token,
      json: { name: 'ci', roles: ['admin'], current_password: first.password },
    });
    const token = String(made.body.token);
    expect(
      (await almanac.call('POST', '/v3/session/proof', { token, json: { current_password: first.password } }))
        .status,
    ).toBe(403);
  });
});
