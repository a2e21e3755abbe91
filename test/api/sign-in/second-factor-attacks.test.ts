import { afterEach, describe, expect, it, vi } from 'vitest';
import { AccessCaller } from '../access/access-caller.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { SecondFactors } from './second-factor-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);
const factors = new SecondFactors(almanac, caller);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Time stands still at this many minutes from now. */
const freezeTime = (minutes = 0) => {
  const now = Date.now() + minutes * 60_000;
  vi.spyOn(almanac.service.clock, 'now').mockReturnValue(now);
};

describe('the log of an account', () => {
  const deniedOf = async (username: string) => {
    await almanac.service.failedSignIns.written();
    const { body } = await caller.call<Json[]>('GET', `/v3/audit?actor=${username}&decision=denied`);
    return body.map(({ detail }) => detail);
  };

  it('has an entry when a caller knows the password of a user but sends no code, once a minute', async () => {
    const ann = await factors.enrol('ann');
    for (let each = 0; each < 3; each += 1)
      expect((await factors.signIn(ann)).body.error).toBe('mfa_required');
    expect(await deniedOf('ann')).toEqual(['right password, no code']);
  });

  it('has an entry when a caller knows the password and too many wrong codes were sent', async () => {
    freezeTime();
    const ben = await factors.enrol('ben');
    for (let each = 0; each < 5; each += 1) await factors.signIn(ben, '000000');
    await almanac.service.database.query
      .updateTable('login_failures')
      .set({ blocked_until: 0 })
      .where('failures', '>', 0)
      .execute();
    // The address may try again; the code may not be guessed any more.
    await almanac.service.database.query
      .updateTable('login_failures')
      .set({ blocked_until: almanac.service.clock.now() + 3_600_000 })
      .where('failures', '=', 0)
      .execute();
    expect((await factors.signIn(ben, '000000')).status).toBe(429);
    expect(await deniedOf('ben')).toContain('right password, too many wrong codes');
  });
});

describe('confirming a second factor', () => {
  it('is throttled like other guesses of a code', async () => {
    freezeTime();
    const carl = await caller.makeUser('carl');
    const enrolment = await factors.begin(carl);
    const confirm = (otp: string) => factors.post('/confirm', carl.token, { otp });
    for (let each = 0; each < 5; each += 1) expect((await confirm('000000')).status).toBe(400);
    expect((await confirm(factors.codeOf(enrolment))).status).toBe(429);
  });

  it('does not confirm a secret that replaced the one whose code was checked', async () => {
    const dora = await caller.makeUser('dora');
    const enrolment = await factors.begin(dora);
    const { database } = almanac.service;
    const lock = database.lock.bind(database);
    vi.spyOn(database, 'lock').mockImplementation(async (query, name) => {
      await lock(query, name);
      if (!name.startsWith('access of')) return;
      await query
        .updateTable('second_factors')
        .set({ sealed_secret: 'another' })
        .where('user_id', '=', dora.userId)
        .execute();
    });
    const answer = await factors.post('/confirm', dora.token, { otp: factors.codeOf(enrolment) });
    expect(answer.status).toBe(409);
    vi.restoreAllMocks();
    expect((await factors.signIn(dora)).status).toBe(200);
  });

  it('is too late after 15 minutes', async () => {
    const eva = await caller.makeUser('eva');
    const enrolment = await factors.begin(eva);
    freezeTime(16);
    const answer = await factors.post('/confirm', eva.token, { otp: factors.codeOf(enrolment) });
    expect([answer.status, answer.body.message]).toEqual([409, 'There is no second factor to confirm']);
  });
});
