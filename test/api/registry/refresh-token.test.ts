import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from '../sign-in/personal-token-caller.ts';
import { SecondFactors } from '../sign-in/second-factor-caller.ts';
import { basic, claimsOf, RegistryCaller } from './registry-caller.ts';

const clock = new VirtualClock(Date.UTC(2030, 0, 1));
const almanac = useServedAlmanac({ clock });
const caller = new AccessCaller(almanac);
const registry = new RegistryCaller(almanac);
const tokens = new PersonalTokens(caller);
const factors = new SecondFactors(almanac, caller);

const hourMs = 60 * 60_000;
const offline = { offline_token: 'true' };
const refresh = (refresh_token: string, scope = 'repository:ann/shop:pull') =>
  registry.post({
    grant_type: 'refresh_token',
    service: 'almanac-registry',
    client_id: 'docker',
    refresh_token,
    scope,
  });
const works = async (token: string) => (await refresh(token)).status === 200;

describe('a refresh token after a password, as docker login stores it', () => {
  it('gets registry tokens with the rights of the user, by the form and as a password', async () => {
    const ann = await caller.makeUser('ann');
    const token = String((await registry.get(basic(ann), [], offline)).body.refresh_token);
    expect(token).toMatch(/^almr_/);
    const answer = await refresh(token, 'repository:ann/shop:pull,push repository:root/a:pull');
    expect(claimsOf(answer)).toMatchObject({
      sub: 'ann',
      access: [{ name: 'ann/shop', actions: ['pull', 'push'] }],
    });
    expect(answer.body).not.toHaveProperty('refresh_token');
    expect(await registry.may(basic({ username: '<token>', password: token }), 'ann/shop')).toHaveLength(1);
  });

  it('is not returned unless it is asked for', async () => {
    const amy = await caller.makeUser('amy');
    expect((await registry.get(basic(amy))).body).not.toHaveProperty('refresh_token');
    const { username, password } = amy;
    const form = { grant_type: 'password', username, password, client_id: 'containerd' };
    expect((await registry.post(form)).body).not.toHaveProperty('refresh_token');
    const { body } = await registry.post({ ...form, access_type: 'offline' });
    expect(await works(String(body.refresh_token))).toBe(true);
  });

  it('is not valid for the API', async () => {
    const bea = await caller.makeUser('bea');
    const token = String((await registry.get(basic(bea), [], offline)).body.refresh_token);
    expect((await caller.call('GET', '/v3/token', { token })).status).toBe(401);
    expect((await registry.get({ token })).status).toBe(401);
  });

  it('is in the list of sign-ins, where it can be revoked, and in the audit log', async () => {
    const cat = await caller.makeUser('cat');
    const token = String((await registry.get(basic(cat), [], offline)).body.refresh_token);
    await refresh(token);
    const list = await caller.call<Json[]>('GET', '/v3/token', { token: cat.token });
    const listed = list.body.find(({ grant_type }) => grant_type === 'registry');
    expect(listed).toMatchObject({ client_id: 'registry', last_used: expect.stringMatching(/^20/) });
    expect(list.text).not.toContain(token);
    await caller.call('DELETE', `/v3/token/${String(listed?.token_id)}`, { token: cat.token });
    expect(await works(token)).toBe(false);
    const audit = await caller.call('GET', '/v3/audit?actor=cat');
    expect(audit.text).toContain('signed in with grant registry');
  });

  it('ends when the password is changed', async () => {
    const dee = await caller.makeUser('dee');
    const token = String((await registry.get(basic(dee), [], offline)).body.refresh_token);
    const json = { current_password: dee.password, password: 'another password of dee 7' };
    await caller.call('PUT', '/v3/user/dee/password', { token: dee.token, json });
    expect(await works(token)).toBe(false);
  });

  it('ends when the user enables a second factor, because the password alone was enough for it', async () => {
    const dot = await caller.makeUser('dot');
    const token = String((await registry.get(basic(dot), [], offline)).body.refresh_token);
    const { secret } = await factors.begin(dot);
    expect(await works(token)).toBe(true);
    const confirmed = await factors.post('/confirm', dot.token, { otp: factors.codeOf({ secret }) });
    expect(confirmed.status).toBe(200);
    expect(await works(token)).toBe(false);
    expect((await caller.call('GET', '/v3/token', { token: dot.token })).status).toBe(200);
  });

  it('replaces the one that was not used for longest, of a user who has 50', async () => {
    const eli = await caller.makeUser('eli');
    const laptop = String((await registry.get(basic(eli), [], offline)).body.refresh_token);
    clock.advance(1000);
    const made: string[] = [];
    for (let each = 0; each < 51; each += 1) {
      made.push(String((await registry.get(basic(eli), [], offline)).body.refresh_token));
      clock.advance(1000);
      if (each === 30) expect(await works(laptop)).toBe(true);
    }
    expect(await works(laptop)).toBe(true);
    expect(await works(made[1] ?? '')).toBe(false);
    expect(await works(made[2] ?? '')).toBe(true);
  });
});

describe('a refresh token after an access token, as a credential helper uses it', () => {
  it('is valid for an hour, and ends with the sign-in', async () => {
    const fay = await caller.makeUser('fay');
    const ask = async () =>
      String((await registry.get({ token: fay.token }, [], offline)).body.refresh_token);
    const [one, two] = [await ask(), await ask()];
    expect(await works(one)).toBe(true);
    clock.advance(hourMs - 1000);
    expect(await works(one)).toBe(true);
    clock.advance(2000);
    expect(await works(two)).toBe(false);
    const three = await ask();
    const list = await caller.call<Json[]>('GET', '/v3/token', { token: fay.token });
    await caller.call('DELETE', `/v3/token/${String(list.body[0]?.token_id)}`, { token: fay.token });
    expect(await works(three)).toBe(false);
  });
});

describe('a refresh token after a personal access token', () => {
  it('has its limits, lasts longer than an hour, and ends with it', async () => {
    const gil = await caller.makeUser('gil');
    const scope = JSON.stringify({
      version: '2017-05-05',
      Statement: [{ Effect: 'Allow', Action: ['registry:pull'], Resource: ['*'] }],
    });
    const { token, id } = await tokens.made(gil, { scope, expires_in_days: 30 });
    const login = basic({ username: 'gil', password: token });
    const refreshToken = String((await registry.get(login, [], offline)).body.refresh_token);
    clock.advance(2 * hourMs);
    const { access } = claimsOf(await refresh(refreshToken, 'repository:gil/app:*'));
    expect(access).toEqual([{ type: 'repository', name: 'gil/app', actions: ['pull'] }]);
    await caller.call('DELETE', `/v3/personal_token/${id}`);
    expect(await works(refreshToken)).toBe(false);
  });
});

it('an unknown grant and a missing or forged refresh token are rejected', async () => {
  expect((await registry.post({ grant_type: 'client_credentials' })).body).toMatchObject({
    error: 'unsupported_grant_type',
  });
  expect((await registry.post({ grant_type: 'refresh_token' })).status).toBe(400);
  for (const token of ['almr_x', 'almr_v1.x.y.z.a', 'almr_v1.', 'other'])
    expect((await refresh(token)).status).toBe(401);
});

it('a refresh token after a password is valid for 90 days', async () => {
  const ida = await caller.makeUser('ida');
  const token = String((await registry.get(basic(ida), [], offline)).body.refresh_token);
  clock.advance(89 * 24 * hourMs);
  expect(await works(token)).toBe(true);
  clock.advance(2 * 24 * hourMs);
  expect(await works(token)).toBe(false);
});
