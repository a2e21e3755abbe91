import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realClock } from '../../../src/basics/clock.ts';
import { makeOtherAccount } from '../access/other-account.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

// Time stands still: on a slow machine a block of two seconds would end while the test runs.
beforeAll(() => {
  const now = Date.now();
  vi.spyOn(realClock, 'now').mockReturnValue(now);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const sign = (json: object) => almanac.call('POST', '/v3/access_token', { json });
const { client_id, client_secret, username, password } = first;
const asClient = { grant_type: 'client_credentials', client_id, client_secret };
const asUser = { grant_type: 'password', client_id, client_secret, username, password };

const failOften = async (json: object) => {
  const statuses: number[] = [];
  for (let each = 0; each < 5; each += 1) statuses.push((await sign(json)).status);
  return statuses;
};

/** Simulates the end of the wait. */
const expireBlock = () =>
  almanac.service.database.query.updateTable('login_failures').set({ blocked_until: 1 }).execute();

describe('after five failed sign-ins', () => {
  it('a client gets 429 with Retry-After until the time has passed, even with the right secret', async () => {
    expect(await failOften({ ...asClient, client_secret: 'wrong' })).toEqual([401, 401, 401, 401, 401]);
    const blocked = await sign(asClient);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(blocked.headers.get('retry-after'))).toBeLessThanOrEqual(2);
    expect(blocked.body).toMatchObject({ code: '0429', error: 'too_many_requests' });
    expect(blocked.body.message).toMatch(/^Too many failed attempts; try again in \d s$/);
    await expireBlock();
    expect((await sign(asClient)).status).toBe(200);
  });

  it('a user gets 429 as well, and other users and clients do not', async () => {
    expect(await failOften({ ...asUser, password: 'wrong' })).toEqual([400, 400, 400, 400, 400]);
    expect((await sign(asUser)).status).toBe(429);
    expect((await sign(asClient)).status).toBe(200);
    const other = await makeOtherAccount(almanac.service);
    expect((await sign({ ...other, grant_type: 'password' })).status).toBe(200);
    await expireBlock();
    expect((await sign(asUser)).status).toBe(200);
  });

  it('a successful sign-in resets the number of failures', async () => {
    for (const json of [asUser, asUser]) {
      for (let each = 0; each < 4; each += 1) await sign({ ...json, password: 'wrong' });
      expect((await sign(json)).status).toBe(200);
    }
    for (const json of [asClient, asClient]) {
      for (let each = 0; each < 4; each += 1) await sign({ ...json, client_secret: 'wrong' });
      expect((await sign(json)).status).toBe(200);
    }
  });

  it('each further failure doubles the wait, even across a restart', async () => {
    const wrong = { ...asClient, client_secret: 'wrong' };
    await failOften(wrong);
    // Often: on PostgreSQL, its own time counts after the restart.
    for (let each = 0; each < 6; each += 1) {
      await expireBlock();
      expect((await sign(wrong)).status).toBe(401);
    }
    await almanac.restart();
    const blocked = await sign(asClient);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(16);
    await expireBlock();
  });
});

describe('parallel sign-ins', () => {
  it('guessing in parallel gains nothing: after five failures the others are not checked', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sign({ ...asUser, password: `guess ${index}` })),
    );
    const statuses = guesses.map((guess) => guess.status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(25);
    await expireBlock();
  });

  it('many valid sign-ins at once are not blocked', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sign(asUser)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });

  it('failures with many different names store nothing but a digest of each', async () => {
    await sign({ ...asUser, username: 'x'.repeat(100) });
    expect((await sign({ ...asClient, client_id: 'y'.repeat(5000) })).status).toBe(400);
    const rows = await almanac.service.database.query
      .selectFrom('login_failures')
      .select('subject')
      .execute();
    expect(Math.max(...rows.map((row) => row.subject.length))).toBeLessThan(100);
  });

  it('failures with client ids that do not exist store nothing', async () => {
    const count = async () =>
      (await almanac.service.database.query.selectFrom('login_failures').select('subject').execute()).length;
    const before = await count();
    for (const id of ['lg-nobody', 'mo-0123456789abc', 'x'.repeat(1000)])
      expect((await sign({ ...asClient, client_id: id })).status).toBe(401);
    expect(await count()).toBe(before);
  });
});
