import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac({ environment: { ALM_TRUST_PROXY: '127.0.0.1' } });
const caller = new AccessCaller(almanac);

const { client_id, client_secret } = first;

/** Timers of a minute or more do not fire, and can be fired by the test. */
const timers: { ms: number; callback: () => void }[] = [];
beforeAll(() => {
  const after = realClock.after.bind(realClock);
  vi.spyOn(realClock, 'after').mockImplementation((ms, callback) => {
    if (ms !== 60_000) return after(ms, callback);
    timers.push({ ms, callback });
    return () => {};
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

const endMinute = async () => {
  for (const { callback } of timers.splice(0)) callback();
  await almanac.service.failedSignIns.written();
};

/** Entries about an actor, oldest first. */
const entriesOf = async (actor: string, action = 'sign-in') => {
  await almanac.service.failedSignIns.written();
  const query = `?limit=1000&actor=${actor}&action=${action}`;
  const answer = await caller.call<Json[]>('GET', `/v3/audit${query}`, { token: await almanac.userToken() });
  return answer.body.toReversed();
};

const signIn = (fields: object, address = '192.0.2.1') =>
  almanac.call('POST', '/v3/access_token', {
    json: { client_id, client_secret, grant_type: 'password', ...fields },
    headers: { 'x-forwarded-for': address },
  });

describe('the audit log', () => {
  it('records who signed in, through which client, with which grant and from where', async () => {
    const { password } = await caller.makeUser('ann');
    await signIn({ username: 'ann', password });
    expect((await entriesOf('ann')).at(-1)).toMatchObject({
      actor_kind: 'user',
      actor: 'ann',
      action: 'sign-in',
      decision: 'allowed',
      status: 200,
      resource: `mrn:alm:client:${client_id}`,
      address: '192.0.2.1',
      detail: 'signed in with grant password',
    });
    await signIn({ grant_type: 'client_credentials' });
    expect((await entriesOf(client_id)).at(-1)).toMatchObject({
      actor_kind: 'client',
      detail: 'signed in with grant client_credentials',
    });
  });

  it('records a sign-in at the gateway and of a stack', async () => {
    const { password: passwd } = await caller.makeUser('ben');
    await almanac.call('POST', '/token', { json: { username: 'ben', passwd } });
    expect((await entriesOf('ben')).at(-1)).toMatchObject({ resource: 'mrn:alm:client:gateway' });
    const stackId = await almanac.applyTemplate();
    await almanac.stackToken(stackId);
    expect(await entriesOf(stackId)).toMatchObject([{ actor_kind: 'stack', decision: 'allowed' }]);
  });

  it('records failed sign-ins of a user: the first at once, the others of a minute as one entry', async () => {
    await caller.makeUser('carl');
    const failures = async () => (await entriesOf('carl')).filter(({ decision }) => decision === 'denied');
    for (let each = 1; each <= 8; each += 1)
      await signIn({ username: 'carl', password: 'wrong' }, `198.51.100.${each % 4}`);
    expect(await failures()).toMatchObject([
      { actor: 'carl', status: 401, address: '198.51.100.1', detail: 'wrong password or secret' },
    ]);
    await endMinute();
    expect(await failures()).toMatchObject([{}, { detail: '7 more within a minute, from 4 addresses' }]);
    await endMinute();
    expect(await failures()).toHaveLength(2);
  });

  it('records all unknown names of an account as one, so that nobody can fill its log by guessing', async () => {
    await endMinute();
    const before = (await entriesOf('-')).length;
    for (let each = 0; each < 10; each += 1) await signIn({ username: `nobody${each}`, password: 'wrong' });
    await almanac.call('POST', '/token', { json: { username: 'nobody', passwd: 'wrong' } });
    expect(await entriesOf('-')).toHaveLength(before + 1);
    await endMinute();
    const entries = await entriesOf('-');
    expect(entries).toHaveLength(before + 2);
    expect(entries.at(-1)?.detail).toBe('9 more within a minute, from 1 address; no such name');
    expect(JSON.stringify(entries)).not.toContain('nobody');
  });

  it('records a wrong client secret in the account of the client, and an unknown client nowhere', async () => {
    await signIn({ client_secret: 'wrong' });
    await signIn({ client_id: 'lg-nobody' });
    expect((await entriesOf(client_id)).at(-1)).toMatchObject({
      actor_kind: 'client',
      decision: 'denied',
      resource: `mrn:alm:client:${client_id}`,
    });
    expect(await entriesOf('lg-nobody')).toEqual([]);
  });

  it('records a wrong current_password as a failed sign-in', async () => {
    const { token } = await caller.makeUser('dora');
    const json = { password: 'something new', current_password: 'wrong' };
    await almanac.call('PUT', '/v3/user/dora/password', { token, json });
    expect((await entriesOf('dora')).at(-1)).toMatchObject({ decision: 'denied' });
  });

  it('records the revocation of a token by its client, and not the attempt to revoke an unknown one', async () => {
    const { token, userId } = await caller.makeUser('eve');
    const before = (await entriesOf(client_id, 'revoke')).length;
    await almanac.call('POST', '/v3/revoke', { form: { client_id, client_secret, token } });
    await almanac.call('POST', '/v3/revoke', { form: { client_id, client_secret, token } });
    const entries = await entriesOf(client_id, 'revoke');
    expect(entries).toHaveLength(before + 1);
    expect(entries.at(-1)?.detail).toBe(`revoked a token of user ${userId}`);
    expect(entries.at(-1)?.resource).toMatch(/^mrn:alm:token:\w{12}$/);
  });
});
