import { expect, it } from 'vitest';
import { AccessCaller, aTime, forbidden } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const tokensOf = async (token: string) => (await caller.call<Json[]>('GET', '/v3/token', { token })).body;
const end = (token: string, id: unknown) => caller.call('DELETE', `/v3/token/${String(id)}`, { token });

it('listing own tokens shows no value that can be used to sign in', async () => {
  const { token } = await caller.makeUser('ann');
  await caller.makeUser('ben');
  const answer = await caller.call<Json[]>('GET', '/v3/token', { token });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual([
    {
      token_id: expect.stringMatching(/^\w{12}$/),
      kind: 'user',
      client_id: first.client_id,
      client_kind: 'owner',
      grant_type: 'password',
      address: '127.0.0.1',
      user_agent: 'node',
      issued: expect.stringMatching(aTime),
      expires: expect.stringMatching(aTime),
      last_used: expect.stringMatching(aTime),
      current: true,
    },
  ]);
  expect(answer.text).not.toContain(token);
  const [shown] = answer.body;
  expect(Date.parse(String(shown?.expires)) - Date.parse(String(shown?.issued))).toBe(43_200_000);
});

it('a user can revoke one of its own tokens', async () => {
  const { token: old, password } = await caller.makeUser('carl');
  const [oldShown] = await tokensOf(old);
  const token = String((await caller.signIn('carl', password)).body.access_token);
  expect(await tokensOf(token)).toHaveLength(2);
  const answer = await end(token, oldShown?.token_id);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: 'success', token_id: oldShown?.token_id });
  expect([await caller.works(old), await caller.works(token)]).toEqual([false, true]);
  expect((await end(token, oldShown?.token_id)).status).toBe(404);
  expect(await tokensOf(token)).toHaveLength(1);
});

it('a user can revoke the token of the request itself', async () => {
  const { token } = await caller.makeUser('dora');
  const [shown] = await tokensOf(token);
  expect((await end(token, shown?.token_id)).status).toBe(200);
  expect(await caller.works(token)).toBe(false);
});

it('tokens of other users cannot be seen or revoked, not even by the master', async () => {
  const { token } = await caller.makeUser('eve');
  const { token: other } = await caller.makeUser('fay');
  const [shown] = await tokensOf(token);
  for (const otherToken of [other, await almanac.userToken(), await almanac.otherAccountToken()]) {
    const answer = await end(otherToken, shown?.token_id);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: '0404', error: 'not_found' });
  }
  expect(await caller.works(token)).toBe(true);
});

it('listing own tokens omits expired ones', async () => {
  const { token, userId, password } = await caller.makeUser('gil');
  const [shown] = await tokensOf(token);
  await almanac.service.database.query
    .updateTable('access_tokens')
    .set({ expires_at: almanac.service.clock.now() })
    .where('subject', '=', userId)
    .execute();
  const fresh = String((await caller.signIn('gil', password)).body.access_token);
  expect(await tokensOf(fresh)).toHaveLength(1);
  expect((await end(fresh, shown?.token_id)).status).toBe(404);
});

it('an API client has no tokens to list', async () => {
  const token = await almanac.clientToken();
  expect((await caller.call('GET', '/v3/token', { token })).body).toMatchObject(forbidden);
  expect((await end(token, 'some-id')).status).toBe(403);
});
