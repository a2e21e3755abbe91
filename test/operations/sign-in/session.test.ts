import { beforeEach, expect, it } from 'vitest';
import { actorBehind } from '../../../src/operations/access/access.ts';
import { lastingHash } from '../../../src/operations/access/actor.ts';
import { endSession } from '../../../src/operations/sign-in/session.ts';
import { caller, hour, useSessions } from './use-sessions.ts';

const { world, start, actorOf, isValid, renew } = useSessions();

let token: string;
beforeEach(async () => {
  token = await start();
});

it('a token stays for an hour, is then replaced, and the old one ends after a minute', async () => {
  world().clock.advance(hour - 1);
  expect((await renew(token)).token).toBeNull();
  world().clock.advance(1);
  const next = (await renew(token)).token ?? '';
  expect([await isValid(token), await isValid(next)]).toEqual([true, true]);
  world().clock.advance(60_000);
  expect([await isValid(token), await isValid(next)]).toEqual([false, true]);
});

it('a second tab that renews at the same time gets no second token', async () => {
  world().clock.advance(2 * hour);
  const both = await Promise.all([renew(token), renew(token)]);
  expect(both.filter((renewed) => renewed.token !== null)).toHaveLength(1);
});

it('a session that is used every hour ends after 7 days', async () => {
  const begin = world().clock.now();
  let current = token;
  for (;;) {
    world().clock.advance(hour);
    if (!(await isValid(current))) break;
    const renewed = await renew(current);
    expect(renewed.renewableUntil).toBe(begin + 7 * 24 * hour);
    expect(renewed.expiresAt).toBeLessThanOrEqual(renewed.renewableUntil);
    current = renewed.token ?? current;
  }
  expect(world().clock.now() - begin).toBe(7 * 24 * hour);
});

it('an unused session ends after 12 hours', async () => {
  world().clock.advance(12 * hour);
  expect(await isValid(token)).toBe(false);
});

it('long-running work goes on when its session is renewed, and ends when the user signs out', async () => {
  const hash = lastingHash(await actorOf(token)) ?? '';
  let current = token;
  for (let count = 0; count < 3; count += 1) {
    world().clock.advance(2 * hour);
    current = (await renew(current)).token ?? '';
  }
  expect(await actorBehind(world().service, hash)).toMatchObject({ username: 'root' });
  await endSession(world().service, await actorOf(current), caller.address);
  expect(await actorBehind(world().service, hash)).toBeNull();
});

it('signing out also ends the token that was just replaced', async () => {
  world().clock.advance(2 * hour);
  const next = (await renew(token)).token ?? '';
  await endSession(world().service, await actorOf(next), caller.address);
  expect([await isValid(token), await isValid(next)]).toEqual([false, false]);
});
