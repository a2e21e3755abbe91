import { describe, expect, it } from 'vitest';
import { AccessCaller, forbidden } from '../access/access-caller.ts';
import { first, type Request, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const change = (username: string, request: Request) =>
  caller.call('PUT', `/v3/user/${username}/password`, request);
const canSignIn = async (username: string, password: string) =>
  (await caller.signIn(username, password)).status === 200;

describe('changing your own password', () => {
  it('changing your own password requires the current one and revokes every token', async () => {
    const { token, password } = await caller.makeUser('own');
    const json = { current_password: password, password: 'something new, walnut 37' };
    const answer = await change('own', { token, json });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success' });
    expect(await caller.works(token)).toBe(false);
    expect(await canSignIn('own', password)).toBe(false);
    expect(await canSignIn('own', 'something new, walnut 37')).toBe(true);
  });

  const wanted = { password: 'something new, walnut 37' };
  it.each<[string, object, string]>([
    ['without-the-present-one', wanted, 'current_password not specified'],
    ['with-a-wrong-one', { ...wanted, current_password: 'wrong' }, 'current_password is wrong'],
    [
      'to-a-short-one',
      { password: 'short', current_password: 'x' },
      'password must have at least 8 characters',
    ],
    ['to-none', { current_password: 'x' }, 'password not specified'],
  ])('the password does not change %s', async (username, json, message) => {
    const user = await caller.makeUser(username);
    const answer = await change(username, { token: user.token, json });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', message });
    expect(await caller.works(user.token)).toBe(true);
    expect(await canSignIn(username, user.password)).toBe(true);
  });

  it('the current password cannot be guessed with a token: attempts count as failed sign-ins', async () => {
    const { token, password } = await caller.makeUser('robbed');
    const guess = (current_password: string) =>
      change('robbed', { token, json: { password: 'something new, walnut 37', current_password } });
    for (let tries = 0; tries < 5; tries += 1) expect((await guess(`guess ${tries}`)).status).toBe(400);
    const answer = await guess(password);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('changing a password during sign-ins with the old one leaves no valid token', async () => {
    const { token, password } = await caller.makeUser('raced');
    const form = { current_password: password, password: 'something new, walnut 37' };
    const [changed, ...signedIn] = await Promise.all([
      change('raced', { token, form }),
      ...[1, 2, 3, 4, 5].map(() => caller.signIn('raced', password)),
    ]);
    expect(changed?.status).toBe(200);
    for (const { body } of signedIn)
      if (body.access_token) expect(await caller.works(body.access_token)).toBe(false);
  });
});

describe('changing the password of another user', () => {
  it('the master can change the password of a user without the current one', async () => {
    const { token, password } = await caller.makeUser('forgetful');
    expect((await change('forgetful', { json: { password: 'something new, walnut 37' } })).status).toBe(200);
    expect(await caller.works(token)).toBe(false);
    expect(await canSignIn('forgetful', password)).toBe(false);
    expect(await canSignIn('forgetful', 'something new, walnut 37')).toBe(true);
  });

  it('users cannot change the passwords of other users', async () => {
    const { token } = await caller.makeUser('thief');
    const { password } = await caller.makeUser('victim');
    const json = { password: 'something new, walnut 37', current_password: password };
    for (const username of ['victim', 'root', 'nobody']) {
      const answer = await change(username, { token, json });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(forbidden);
    }
    const elsewhere = await change('victim', { token: await almanac.otherAccountToken(), json });
    expect(elsewhere.status).toBe(404);
    expect(await canSignIn('victim', password)).toBe(true);
  });

  it('changing the password of an unknown user returns 404', async () => {
    expect((await change('nobody', { json: { password: 'something new, walnut 37' } })).status).toBe(404);
  });
});

it('the master needs the current password to change its own', async () => {
  const answer = await change('root', { json: { password: 'something new, walnut 37' } });
  expect(answer.status).toBe(400);
  expect(await canSignIn('root', first.password)).toBe(true);
});
