import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { AccessCaller, aTime, forbidden, scopeAllowing } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { SecondFactors } from './second-factor-caller.ts';

/** It never moves: a code is valid for 30 seconds, and a busy machine may need longer for a test. */
const almanac = useServedAlmanac({ clock: new VirtualClock() });
const caller = new AccessCaller(almanac);

const factors = new SecondFactors(almanac, caller);
const { post, signIn, codeOf } = factors;
const enrol = (username: string) => factors.enrol(username);

describe('enrolling', () => {
  it('a factor is enabled by its first code, and only then changes sign-ins', async () => {
    const ann = await caller.makeUser('ann');
    const begun = await post('', ann.token, { current_password: ann.password });
    expect(begun.status).toBe(200);
    expect(begun.headers.get('cache-control')).toBe('no-store');
    expect(begun.body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining('otpauth://totp/Almanac:ann?secret='),
    });
    expect((await signIn(ann)).status).toBe(200);
    expect((await post('/confirm', ann.token, { otp: '000000' })).body).toMatchObject({
      message: 'otp is wrong',
    });
    const confirmed = await post('/confirm', ann.token, {
      otp: codeOf({ secret: String(begun.body.secret) }),
    });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    expect((await caller.call('GET', '/v3/second_factor', { token: ann.token })).body).toEqual({
      enabled: true,
      enabled_time: expect.stringMatching(aTime),
      recovery_codes_left: 10,
    });
    expect((await signIn(ann)).status).toBe(400);
  });

  it('the secret and the recovery codes are not stored in the clear', async () => {
    const { secret, recoveryCodes } = await enrol('bea');
    const { query } = almanac.service.database;
    const rows = [
      await query.selectFrom('second_factors').selectAll().execute(),
      await query.selectFrom('recovery_codes').selectAll().execute(),
    ];
    for (const text of [secret, ...recoveryCodes]) expect(JSON.stringify(rows)).not.toContain(text);
  });

  it.each([
    ['without the password', {}, 'current_password not specified'],
    ['with a wrong password', { current_password: 'wrong' }, 'current_password is wrong'],
  ])('nobody enrols %s', async (how, json, message) => {
    const { token } = await caller.makeUser(`enrols-${how.replaceAll(' ', '-')}`);
    expect((await post('', token, json)).body).toMatchObject({ message });
  });

  it('an enabled factor cannot be replaced, and there is nothing to confirm twice', async () => {
    const carl = await enrol('carl');
    const again = { current_password: carl.password, otp: codeOf(carl) };
    expect((await post('', carl.token, again)).status).toBe(409);
    expect((await post('/confirm', carl.token, { otp: codeOf(carl) })).status).toBe(409);
  });

  it('API clients and personal access tokens cannot change a second factor', async () => {
    const dan = await caller.makeUser('dan');
    const made = await caller.call('POST', '/v3/personal_token', {
      token: dan.token,
      json: { name: 'x', scope: scopeAllowing('*'), current_password: dan.password },
    });
    for (const token of [await almanac.clientToken(), String(made.body.token)])
      for (const path of ['', '/confirm', '/disable'])
        expect(
          (await post(path, token, { current_password: dan.password, otp: '000000' })).body,
        ).toMatchObject(forbidden);
  });
});

describe('signing in with a second factor', () => {
  it('the password alone is not enough, and the error says that a code is required', async () => {
    const eva = await enrol('eva');
    const answer = await signIn(eva);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'mfa_required',
      message: 'A one-time code is required',
      error_description: expect.stringContaining('otp'),
    });
    expect((await signIn(eva, codeOf(eva))).status).toBe(200);
  });

  it('a wrong password never reveals that the user has a second factor', async () => {
    const fay = await enrol('fay');
    const wrong = { ...fay, password: 'wrong' };
    const nobody = { ...fay, username: 'nobody' };
    const bodies = [await signIn(wrong), await signIn(wrong, codeOf(fay)), await signIn(nobody)];
    for (const { body } of bodies)
      expect(body).toMatchObject({ error: 'invalid_grant', message: bodies[2]?.body.message });
  });

  it('a code is accepted once, and no earlier one after it', async () => {
    const gil = await enrol('gil');
    const [before, now] = [codeOf(gil, -1), codeOf(gil)];
    expect((await signIn(gil, now)).status).toBe(200);
    expect((await signIn(gil, now)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await signIn(gil, before)).status).toBe(400);
  });

  it('of parallel sign-ins with the same code, one succeeds', async () => {
    const hal = await enrol('hal');
    const code = codeOf(hal);
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(hal, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('a recovery code replaces a code once', async () => {
    const ida = await enrol('ida');
    const [code = ''] = ida.recoveryCodes;
    expect((await signIn(ida, code.toUpperCase())).status).toBe(200);
    expect((await signIn(ida, code)).status).toBe(400);
    const state = (await caller.call('GET', '/v3/second_factor', { token: ida.token })).body;
    expect(state.recovery_codes_left).toBe(9);
  });

  it('wrong codes count as failed sign-ins, and the right password between them does not reset the count', async () => {
    const jan = await enrol('jan');
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await signIn(jan, '000000')).status).toBe(400);
      if (tries < 4) expect((await signIn(jan)).body.error).toBe('mfa_required');
    }
    expect((await signIn(jan, codeOf(jan))).status).toBe(429);
  });

  it('the gateway takes the code in its own field, or directly after the password', async () => {
    const kim = await enrol('kim');
    const token = (json: object) =>
      almanac.call('POST', '/token', { json: { username: 'kim', passwd: kim.password, ...json } });
    expect((await token({})).body).toMatchObject({ error: 'mfa_required' });
    expect((await token({ otp: codeOf(kim, -1) })).status).toBe(200);
    expect((await token({ passwd: `${kim.password}${codeOf(kim)}` })).status).toBe(200);
    expect((await token({ passwd: `${kim.password}${codeOf(kim)}` })).status).toBe(401);
  });
});

describe('changes that need a proof', () => {
  it('changing the own password and creating a token require a code too', async () => {
    const lea = await enrol('lea');
    const change = (json: object) =>
      caller.call('PUT', '/v3/user/lea/password', {
        token: lea.token,
        json: { password: 'walnut copper 71 ferry', current_password: lea.password, ...json },
      });
    const create = (json: object) =>
      caller.call('POST', '/v3/personal_token', {
        token: lea.token,
        json: { name: 'x', scope: scopeAllowing('*'), current_password: lea.password, ...json },
      });
    expect((await change({})).body).toMatchObject({ error: 'mfa_required' });
    expect((await create({})).body).toMatchObject({ error: 'mfa_required' });
    expect((await create({ otp: codeOf(lea, -1) })).status).toBe(200);
    expect((await change({ otp: codeOf(lea) })).status).toBe(200);
  });

  it('disabling requires the password and a code', async () => {
    const max = await enrol('max');
    const disable = (json: object) => post('/disable', max.token, json);
    expect((await disable({ current_password: max.password })).body).toMatchObject({ error: 'mfa_required' });
    expect((await disable({ otp: codeOf(max) })).status).toBe(400);
    expect((await disable({ current_password: max.password, otp: codeOf(max) })).status).toBe(200);
    expect((await signIn(max)).status).toBe(200);
    expect((await disable({ current_password: max.password })).status).toBe(409);
  });
});

describe('resetting the factor of another user', () => {
  const reset = (username: string, token?: string) =>
    caller.call('DELETE', `/v3/user/${username}/second_factor`, token === undefined ? {} : { token });

  it('the master removes the factor of a user, and the audit log has it', async () => {
    const nia = await enrol('nia');
    expect((await reset('nia')).status).toBe(200);
    expect((await signIn(nia)).status).toBe(200);
    expect((await reset('nia')).status).toBe(404);
    const { body } = await caller.call<Json[]>('GET', '/v3/audit?resource=mrn:alm:user:nia');
    expect(body.find(({ route, status }) => route === 'v3ResetSecondFactor' && status === 200)).toMatchObject(
      {
        actor: first.username,
      },
    );
  });

  it('nobody else removes it, and the master cannot remove its own this way', async () => {
    const ola = await enrol('ola');
    const { token } = await caller.makeUser('pia');
    expect((await reset('ola', token)).status).toBe(403);
    expect((await reset('ola', ola.token)).status).toBe(403);
    expect((await reset('ola', await almanac.otherAccountToken())).status).toBe(404);
    expect((await reset('root')).status).toBe(409);
    expect((await signIn(ola)).status).toBe(400);
  });

  it('a deleted user leaves no factor to a new user of the same name', async () => {
    await enrol('quin');
    await caller.call('DELETE', '/v3/user/quin');
    const again = await caller.makeUser('quin');
    expect((await signIn(again)).status).toBe(200);
  });
});
