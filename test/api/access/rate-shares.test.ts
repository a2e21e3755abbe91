import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/basics/clock.ts';
import { Tenant } from '../accounts/tenant.ts';
import { useServedAlmanac } from '../served-almanac.ts';

/** On a clock that stands, an account has its burst of two seconds: 20 requests. Each new user takes one. */
const almanac = useServedAlmanac({
  environment: { ALM_RATE_LIMIT: '10', ALM_TOKEN_RATE_LIMIT: '0' },
  clock: new VirtualClock(),
});

const call = (token: string) => almanac.call('GET', '/v3/session', { token });
const flood = (token: string, times: number) => Promise.all(Array.from({ length: times }, () => call(token)));
const answered = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

it('a user who sends as much as it can gets half of the requests of its account, and the others are answered', async () => {
  const tenant = await Tenant.create(almanac, 'Loud');
  const [loud, calm] = [await tenant.newUser('loud'), await tenant.newUser('calm')];
  const answers = await flood(loud, 30);
  expect(answered(answers)).toBe(10);
  const limited = answers.find(({ status }) => status === 429);
  expect(limited?.headers.get('retry-after')).toBe('1');
  expect(limited?.body).toMatchObject({ description: expect.stringContaining('may take half of it') });
  expect(answered(await flood(calm, 4))).toBe(4);
});

it('the master is answered while all users of its account send as much as they can', async () => {
  const tenant = await Tenant.create(almanac, 'Busy');
  const users = [await tenant.newUser('a'), await tenant.newUser('b'), await tenant.newUser('c')];
  for (const user of users) await flood(user, 15);
  expect(answered(await flood(String(users[0]), 5))).toBe(0);
  expect(answered(await flood(tenant.token, 6))).toBe(4);
});
