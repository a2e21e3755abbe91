import { describe, expect, it } from 'vitest';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { makeOtherAccount } from './other-account.ts';

const almanac = useServedAlmanac();

const sign = (json: object) => almanac.call('POST', '/v3/access_token', { json });
const { client_id, client_secret, username, password } = first;
const asClient = { grant_type: 'client_credentials', client_id, client_secret };
const asUser = { grant_type: 'password', client_id, client_secret, username, password };

const failOften = async (json: object) => {
  const statuses: number[] = [];
  for (let each = 0; each < 5; each += 1) statuses.push((await sign(json)).status);
  return statuses;
};

/** As if the time had passed. */
const letTheBlockRunOut = () =>
  almanac.service.database.query.updateTable('login_failures').set({ blocked_until: 1 }).execute();

describe('after five failures', () => {
  it('a client is refused with 429 and Retry-After even with the right secret, until the time is over', async () => {
    expect(await failOften({ ...asClient, client_secret: 'wrong' })).toEqual([401, 401, 401, 401, 401]);
    const blocked = await sign(asClient);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(blocked.headers.get('retry-after'))).toBeLessThanOrEqual(2);
    expect(blocked.body).toMatchObject({ code: '0429', error: 'too_many_requests' });
    expect(blocked.body.message).toMatch(/^Too many failed attempts; try again in \d s$/);
    await letTheBlockRunOut();
    expect((await sign(asClient)).status).toBe(200);
  });

  it('a user is refused in the same way, and other users and clients are not', async () => {
    expect(await failOften({ ...asUser, password: 'wrong' })).toEqual([400, 400, 400, 400, 400]);
    expect((await sign(asUser)).status).toBe(429);
    expect((await sign(asClient)).status).toBe(200);
    const other = await makeOtherAccount(almanac.service);
    expect((await sign({ ...other, grant_type: 'password' })).status).toBe(200);
    await letTheBlockRunOut();
    expect((await sign(asUser)).status).toBe(200);
  });

  it('a right sign-in forgets the failures before it', async () => {
    for (const json of [asUser, asUser]) {
      for (let each = 0; each < 4; each += 1) await sign({ ...json, password: 'wrong' });
      expect((await sign(json)).status).toBe(200);
    }
    for (const json of [asClient, asClient]) {
      for (let each = 0; each < 4; each += 1) await sign({ ...json, client_secret: 'wrong' });
      expect((await sign(json)).status).toBe(200);
    }
  });

  it('each further failure doubles the wait, also across a restart', async () => {
    const wrong = { ...asClient, client_secret: 'wrong' };
    await failOften(wrong);
    await letTheBlockRunOut();
    expect((await sign(wrong)).status).toBe(401);
    await almanac.restart();
    const blocked = await sign(asClient);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(2);
    await letTheBlockRunOut();
  });
});

describe('guessing in parallel', () => {
  it('gains nothing: after five wrong ones the rest is not even looked at', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => sign({ ...asUser, password: `guess ${index}` })),
    );
    const statuses = guesses.map((guess) => guess.status);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(25);
    await letTheBlockRunOut();
  });

  it('does not get in the way of many who sign in rightly at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sign(asUser)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });

  it('with endless names keeps nothing of them but a digest', async () => {
    const long = 'x'.repeat(1000);
    await sign({ ...asClient, client_id: long });
    expect((await sign({ ...asClient, client_id: 'y'.repeat(5000) })).status).toBe(400);
    const rows = await almanac.service.database.query
      .selectFrom('login_failures')
      .select('subject')
      .execute();
    expect(Math.max(...rows.map((row) => row.subject.length))).toBeLessThan(100);
  });
});
