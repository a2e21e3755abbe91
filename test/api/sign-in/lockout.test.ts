import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realClock } from '../../../src/basics/clock.ts';
import { AccessCaller } from '../access/access-caller.ts';
import { type Answer, first, type Json, useServedAlmanac } from '../served-almanac.ts';

// The proxy in front of the server names the real caller.
const almanac = useServedAlmanac({
  environment: { ALM_TRUST_PROXY: '127.0.0.1', ALM_COMPAT_V2_PASSWORD: '1' },
});
const caller = new AccessCaller(almanac);

// Time stands still: on a slow machine a block of two seconds would end while the test runs.
beforeAll(() => {
  const now = Date.now();
  vi.spyOn(realClock, 'now').mockReturnValue(now);
});
afterAll(() => {
  vi.restoreAllMocks();
});

interface Login {
  username: string;
  password: string;
  token: string;
}
type Attempt = (login: Login, address: string) => Promise<Answer<Json>>;

const { client_id, client_secret } = first;
const from = (address: string) => ({ 'x-forwarded-for': address });
const tokenAt =
  (path: string): Attempt =>
  ({ username, password }, address) =>
    almanac.call('POST', path, {
      json: { client_id, client_secret, grant_type: 'password', username, password },
      headers: from(address),
    });

const places: Readonly<Record<string, Attempt>> = {
  '/v3/access_token': tokenAt('/v3/access_token'),
  '/v2/access_token': tokenAt('/v2/access_token'),
  'the gateway': ({ username, password }, address) =>
    almanac.call('POST', '/token', { json: { username, passwd: password }, headers: from(address) }),
  'changing the password': ({ username, password, token }, address) =>
    almanac.call('PUT', `/v3/user/${username}/password`, {
      json: { password: 'a new password', current_password: password },
      token,
      headers: from(address),
    }),
};
const eachPlace = Object.entries(places);

let users = 0;
const makeUser = async (): Promise<Login> => {
  users += 1;
  const username = `user${users}`;
  const { token, password } = await caller.makeUser(username);
  return { username, token, password };
};

const attackers = ['198.51.100.1', '2001:db8:1:2::1'];
const home = '203.0.113.5';

/** Guesses until the address is blocked everywhere. */
const guessFrom = async (attempt: Attempt, login: Login, address: string) => {
  const statuses: number[] = [];
  for (let each = 0; each < 6; each += 1)
    statuses.push((await attempt({ ...login, password: `guess ${each}` }, address)).status);
  return statuses;
};

describe.each(eachPlace)('a stranger who guesses at %s', (_, attempt) => {
  it('is blocked after five failures, at every other place too, even with the right password', async () => {
    const user = await makeUser();
    expect((await guessFrom(attempt, user, '198.51.100.1')).at(-1)).toBe(429);
    for (const [, other] of eachPlace) {
      const answer = await other(user, '198.51.100.1');
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('does not lock the user out at any place', async () => {
    const user = await makeUser();
    for (const address of attackers) await guessFrom(attempt, user, address);
    for (const [name, other] of eachPlace) {
      const { status } = await other(user, home);
      expect([name, status]).toEqual([name, 200]);
    }
  });

  it('is blocked in the whole IPv6 network, and not beyond it', async () => {
    const user = await makeUser();
    await guessFrom(attempt, user, '2001:db8:1:2::1');
    expect((await attempt(user, '2001:db8:1:2::2')).status).toBe(429);
    expect((await attempt(user, '2001:db8:1:3::2')).status).toBe(200);
  });
});

it('a stranger cannot lock out the master user by any of its names', async () => {
  for (const username of ['root', 'root@localhost'])
    for (const attempt of [places['/v3/access_token'], places['the gateway']] as Attempt[])
      await guessFrom(attempt, { username, password: '', token: '' }, '198.51.100.77');
  const master = { username: 'root', password: first.password, token: '' };
  expect((await tokenAt('/v3/access_token')(master, '198.51.100.77')).status).toBe(429);
  expect((await tokenAt('/v3/access_token')(master, home)).status).toBe(200);
});
