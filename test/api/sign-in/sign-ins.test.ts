import { expect, it } from 'vitest';
import { AccessCaller, forbidden, scopeAllowing } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from './personal-token-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const signInWith = async (username: string, userAgent: string): Promise<string> => {
  const json = { ...first, username, password: `password of ${username}`, grant_type: 'password' };
  const answer = await almanac.call('POST', '/v3/access_token', {
    json,
    headers: { 'user-agent': userAgent },
  });
  return String(answer.body.access_token);
};
const own = async (token: string) => (await caller.call<Json[]>('GET', '/v3/token', { token })).body;
const lastUse = (userId: string) =>
  almanac.service.database.query
    .selectFrom('access_tokens')
    .select('last_used_at')
    .where('subject', '=', userId)
    .executeTakeFirstOrThrow();

it('the list marks the sign-in of the request and shows where each one came from', async () => {
  const { token, username } = await caller.makeUser('ann');
  const other = await signInWith(username, 'phone/1.0');
  expect((await own(token)).map((each) => [each.user_agent, each.address, each.current])).toEqual([
    ['phone/1.0', '127.0.0.1', false],
    ['node', '127.0.0.1', true],
  ]);
  expect((await own(other)).map((each) => each.current)).toEqual([true, false]);
});

it('the name of the program is shortened and cannot control a terminal', async () => {
  const { username } = await caller.makeUser('ben');
  const token = await signInWith(username, `\u0080\u009b31m${'x'.repeat(5000)}`);
  const [shown] = await own(token);
  expect(shown?.user_agent).toBe(`??31m${'x'.repeat(195)}`);
});

it('the time of the last use is written at most once per minute', async () => {
  const { token, userId } = await caller.makeUser('carl');
  expect((await lastUse(userId)).last_used_at).toBeNull();
  await own(token);
  const recorded = (await lastUse(userId)).last_used_at;
  expect(recorded).toBeGreaterThan(0);
  const recently = almanac.service.clock.now() - 50_000;
  const set = (last_used_at: number) =>
    almanac.service.database.query
      .updateTable('access_tokens')
      .set({ last_used_at })
      .where('subject', '=', userId)
      .execute();
  await set(recently);
  await own(token);
  expect((await lastUse(userId)).last_used_at).toBe(recently);
  await set(recently - 20_000);
  await own(token);
  expect((await lastUse(userId)).last_used_at).toBeGreaterThanOrEqual(Number(recorded));
});

it('a user can end all other sign-ins at once, and only its own', async () => {
  const { token, username } = await caller.makeUser('dora');
  const others = [await signInWith(username, 'a'), await signInWith(username, 'b')];
  const { token: foreign } = await caller.makeUser('eve');
  const answer = await caller.call('DELETE', '/v3/token', { token });
  expect([answer.status, answer.body]).toEqual([200, { status: 'success', revoked: 2 }]);
  expect(await Promise.all([token, foreign, ...others].map(caller.works))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('the master lists and ends the sign-ins of a user, one or all', async () => {
  const { token, username } = await caller.makeUser('fay');
  const second = await signInWith(username, 'second');
  const path = `/v3/user/${username}/token`;
  const listed = await caller.call<Json[]>('GET', path);
  expect(listed.body.map((each) => [each.user_agent, each.current])).toEqual([
    ['second', false],
    ['node', false],
  ]);
  expect(listed.text).not.toContain(token);
  expect((await caller.call('DELETE', `${path}/${String(listed.body[0]?.token_id)}`)).status).toBe(200);
  expect([await caller.works(token), await caller.works(second)]).toEqual([true, false]);
  expect((await caller.call('DELETE', path)).body).toEqual({ status: 'success', revoked: 1 });
  expect(await caller.works(token)).toBe(false);
  expect((await caller.call('DELETE', `${path}/unknown`)).status).toBe(404);
  expect((await caller.call('GET', '/v3/user/nobody/token')).status).toBe(404);
});

it('users and masters of other accounts cannot list or end the sign-ins of a user', async () => {
  const { token, username } = await caller.makeUser('gil');
  const { token: colleague } = await caller.makeUser('hal');
  const path = `/v3/user/${username}/token`;
  for (const method of ['GET', 'DELETE']) {
    expect((await caller.call(method, path, { token: colleague })).body).toMatchObject(forbidden);
    expect((await caller.call(method, path, { token: await almanac.otherAccountToken() })).status).toBe(404);
  }
  expect(await caller.works(token)).toBe(true);
});

it('a changed password and the deletion of a user end all of its sign-ins', async () => {
  const { token, username } = await caller.makeUser('ida');
  await caller.call('PUT', `/v3/user/${username}/password`, { json: { password: 'another password' } });
  expect(await caller.works(token)).toBe(false);
  const { token: kept, username: deleted } = await caller.makeUser('jan');
  await caller.call('DELETE', `/v3/user/${deleted}`);
  expect(await caller.works(kept)).toBe(false);
});

it('the master who ends all sign-ins of a user also ends its personal access tokens; the user itself does not', async () => {
  const kim = await caller.makeUser('kim');
  const tokens = new PersonalTokens(caller);
  const { token } = await tokens.made(kim, { scope: scopeAllowing('*') });
  await caller.call('DELETE', '/v3/token', { token: kim.token });
  expect(await caller.works(token)).toBe(true);
  expect((await caller.call('DELETE', '/v3/user/kim/token')).body).toEqual({ status: 'success', revoked: 2 });
  expect(await caller.works(token)).toBe(false);
});
