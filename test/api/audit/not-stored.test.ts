import { expect, it } from 'vitest';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

it.each(['/v3/audit', '/v3/client', '/v3/token', '/v3/credentials', '/v3/user', '/v3/alm/stack'])(
  'no browser or proxy stores what %s returns',
  async (path) => {
    const answer = await almanac.call('GET', path, { token: await almanac.userToken() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  },
);
