import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { suspendAccount } from '../../../src/operations/accounts/change-account.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { Tenant } from '../accounts/tenant.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from '../sign-in/personal-token-caller.ts';
import { SecondFactors } from '../sign-in/second-factor-caller.ts';
import { basic, claimsOf, RegistryCaller } from './registry-caller.ts';

const clock = new VirtualClock(Date.UTC(2030, 0, 1));
const almanac = useServedAlmanac({ clock });
const caller = new AccessCaller(almanac);
const registry = new RegistryCaller(almanac);
const tokens = new PersonalTokens(caller);
const root = basic(first);

describe('a registry token', () => {
  it('has the form that clients and the registry expect, and is not to be cached', async () => {
    const answer = await registry.get(root, ['repository:root/shop:pull,push'], {
      service: 'almanac-registry',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      token: answer.body.access_token,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 300,
      issued_at: new Date(clock.now()).toISOString(),
      scope: 'repository:root/shop:pull,push',
    });
    const access = [{ type: 'repository', name: 'root/shop', actions: ['pull', 'push'] }];
    expect(claimsOf(answer)).toMatchObject({ sub: 'root', aud: 'almanac-registry', access });
  });

  it('is the same on v2', async () => {
    const answer = await almanac.call('GET', '/v2/docker/token?scope=repository:root/a:pull', root);
    expect(claimsOf(answer).access).toEqual([{ type: 'repository', name: 'root/a', actions: ['pull'] }]);
    const form = { ...first, grant_type: 'password', scope: 'repository:root/a:pull' };
    expect((await almanac.call('POST', '/v2/docker/token', { form })).status).toBe(200);
  });

  it('covers several scopes, repeated or separated by spaces, in one entry per repository', async () => {
    const scopes = ['repository:root/a:pull,push', 'repository:root/b:pull repository:root/a:delete'];
    expect(await registry.access(root, ...scopes)).toEqual(['root/a:pull,push,delete', 'root/b:pull']);
    expect(await registry.access(root, 'repository:root/a:*')).toEqual(['root/a:pull,push,delete']);
  });

  it('leaves out kinds of resources, names and actions that the registry does not have', async () => {
    const scopes = ['repository(plugin):root/a:pull', 'thing:root/a:pull', 'repository:Root/A:pull'];
    expect(await registry.access(root, ...scopes, 'repository:root/a:fly,pull')).toEqual(['root/a:pull']);
  });

  it.each(['repository', 'repository:root/a', 'repository::pull', ':root/a:pull', 'repository:root/a:'])(
    'malformed scope %s is rejected with its position',
    async (scope) => {
      const answer = await registry.get(root, ['repository:root/a:pull', scope]);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe(`scope 2 must be <type>:<name>:<actions>, not "${scope}"`);
    },
  );

  it('is not issued for another registry', async () => {
    const answer = await registry.get(root, [], { service: 'other' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('service must be almanac-registry');
  });
});

describe('without scopes, signing in is checked', () => {
  it('and a right password gets a token that allows nothing', async () => {
    expect(claimsOf(await registry.get(root)).access).toEqual([]);
  });

  it('and nobody gets 401 with a Basic challenge, in the error format of the registry', async () => {
    const answer = await registry.get({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Almanac registry"');
    const message = expect.stringContaining('Sign in to the registry');
    expect(answer.body).toMatchObject({ code: '0401', errors: [{ code: 'UNAUTHORIZED', message }] });
  });
});

describe('signing in with HTTP Basic', () => {
  it('accepts an access token as Bearer instead', async () => {
    const token = await almanac.userToken();
    expect(claimsOf(await registry.get({ token })).sub).toBe('root');
    expect((await registry.get({ token: 'wrong' }, ['repository:root/a:pull'])).status).toBe(401);
  });

  it('rejects a wrong password and an unknown user alike, even with a scope', async () => {
    const scope = ['repository:root/a:pull'];
    const wrong = await registry.get(basic({ ...first, password: 'wrong' }), scope);
    const unknown = await registry.get(basic({ username: 'nobody', password: 'x' }), scope);
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body.message).toBe(unknown.body.message);
    expect(wrong.body.message).toBe('The username is unknown or the password is wrong');
  });

  it('stops accepting a password that was right before, when it is changed or the user is deleted', async () => {
    const ann = await caller.makeUser('ann');
    const status = async () => (await registry.get(basic(ann))).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    const json = { current_password: ann.password, password: 'another password of ann 7' };
    expect((await caller.call('PUT', '/v3/user/ann/password', { token: ann.token, json })).status).toBe(200);
    expect(await status()).toBe(401);
    const changed = basic({ ...ann, password: json.password });
    expect((await registry.get(changed)).status).toBe(200);
    expect((await caller.call('DELETE', '/v3/user/ann')).status).toBe(200);
    expect((await registry.get(changed)).status).toBe(401);
  });

  it('asks users with a second factor for a personal access token, also if the password was right before', async () => {
    const factors = new SecondFactors(almanac, caller);
    const ben = await caller.makeUser('ben');
    expect((await registry.get(basic(ben))).status).toBe(200);
    const { secret } = await factors.begin(ben);
    await factors.post('/confirm', ben.token, { otp: factors.codeOf({ secret }) });
    const answer = await registry.get(basic(ben));
    expect(answer.status).toBe(401);
    expect(answer.body.message).toMatch(/second factor: use a personal access token as the password/);
    const wrong = await registry.get(basic({ ...ben, password: 'wrong' }));
    expect(wrong.body.message).toBe('The username is unknown or the password is wrong');
    clock.advance(60_000);
    const otp = factors.codeOf({ secret });
    const scope = JSON.stringify({
      version: '2017-05-05',
      Statement: [{ Effect: 'Allow', Action: ['registry:pull'], Resource: ['*'] }],
    });
    const made = await tokens.create(ben, { name: 'docker', scope, expires_in_days: 1, otp });
    expect(made.status).toBe(200);
    const password = String(made.body.token);
    expect(await registry.may(basic({ username: 'ben', password }), 'ben/app')).toEqual(['ben/app:pull']);
    expect((await registry.get(basic({ username: 'root', password }))).status).toBe(401);
  });

  it('rejects users and tokens of a suspended account, whatever was right before', async () => {
    const tenant = await Tenant.create(almanac, 'soon suspended');
    const login = basic({ username: `${tenant.id}.root`, password: tenant.login.password });
    expect((await registry.get(login)).status).toBe(200);
    await suspendAccount(almanac.service, tenant.id);
    expect((await registry.get(login)).status).toBe(403);
    expect((await registry.get({ token: tenant.token }, ['repository:a/b:pull'])).status).toBe(403);
  });
});

describe('wrong passwords are throttled', () => {
  it('also for a password that was right before from the same address, until the time has passed', async () => {
    const cal = await caller.makeUser('cal');
    const status = async (password: string) => (await registry.get(basic({ ...cal, password }))).status;
    expect(await status(cal.password)).toBe(200);
    for (let each = 0; each < 5; each += 1) expect(await status('wrong')).toBe(401);
    const blocked = await registry.get(basic(cal));
    expect(blocked.status).toBe(429);
    expect(blocked.headers.get('retry-after')).toBe('2');
    expect(blocked.body).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
    clock.advance(3000);
    expect(await status(cal.password)).toBe(200);
  });
});
