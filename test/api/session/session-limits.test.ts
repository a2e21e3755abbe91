import { describe, expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';

/** Bursts of two seconds are allowed; the tests send more than that at the same time. */
const manyStatuses = async (call: () => Promise<{ status: number }>): Promise<number[]> => {
  const answers = await Promise.all(Array.from({ length: 30 }, call));
  return [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
};

describe('requests for the session', () => {
  const almanac = useServedAlmanac({ environment: { ALM_TOKEN_RATE_LIMIT: '3' } });
  const describeSession = (request: { token?: string }) => almanac.call('GET', '/v3/session', request);

  it('of a signed-in user do not count against the limit of its address, which its colleagues share', async () => {
    const token = await almanac.userToken();
    expect(await manyStatuses(() => describeSession({ token }))).toEqual([200]);
  });

  it.each([
    ['nobody', {}],
    ['an invalid token', { token: 'alm_wrong' }],
  ])('of %s count against the limit of the address', async (_, request) => {
    expect(await manyStatuses(() => describeSession(request))).toContain(429);
  });
});

describe('requests for the session, with a limit for accounts', () => {
  const almanac = useServedAlmanac({ environment: { ALM_RATE_LIMIT: '3', ALM_TOKEN_RATE_LIMIT: '0' } });

  it('of a signed-in user count against the limit of its account', async () => {
    const token = await almanac.userToken();
    expect(await manyStatuses(() => almanac.call('GET', '/v3/session', { token }))).toEqual([200, 429]);
  });
});
