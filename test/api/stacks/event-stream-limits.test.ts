import { describe, expect, it } from 'vitest';
import { eventually } from '../../http.ts';
import { allow, rolesOn } from '../access/role-statements.ts';
import { useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac({
  environment: { ALM_STREAMS_PER_USER: '3', ALM_MAX_STREAMS: '5' },
});

interface Opened {
  status: number;
  body: unknown;
  retryAfter: string | null;
  close(): void;
}

async function open(path: string, token: string): Promise<Opened> {
  const connection = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(almanac.url + path, { headers, signal: connection.signal });
  const isStream = response.status === 200;
  return {
    status: response.status,
    body: isStream ? null : await response.json(),
    retryAfter: response.headers.get('retry-after'),
    close: () => connection.abort(),
  };
}

const openMany = async (count: number, path: string, token: string): Promise<Opened[]> => {
  const opened: Opened[] = [];
  for (let number = 0; number < count; number += 1) opened.push(await open(path, token));
  return opened;
};

/** Closing takes a moment to arrive at the server. */
const opensAgain = (path: string, token: string) =>
  eventually(
    () => open(path, token),
    ({ status }) => status === 200,
  );

describe('event streams', () => {
  it('a user may have as many as the limit; one more is refused with 429 until one is closed', async () => {
    const path = `/v3/alm/stack/${await almanac.applyTemplate()}/events/stream`;
    const token = await almanac.userToken();
    const opened = await openMany(3, path, token);
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await open(path, token);
    expect(refused).toMatchObject({ status: 429, retryAfter: '5' });
    expect(refused.body).toMatchObject({
      code: '0429',
      error: 'too_many_requests',
      message: 'You already have 3 open event streams',
    });
    opened.pop()?.close();
    opened.push(await opensAgain(path, token));
    for (const stream of opened) stream.close();
  });

  it('the users of an account share its limit, and other accounts have their own', async () => {
    const path = `/v3/alm/stack/${await almanac.applyTemplate()}/events/stream`;
    const token = await almanac.userToken();
    const everything = allow(['*:*']);
    const one = await rolesOn(almanac).userWith('stream-one', everything);
    const opened = [await opensAgain(path, token), ...(await openMany(2, path, token))];
    opened.push(...(await openMany(2, path, one.token)));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const refused = await open(path, one.token);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      message: 'The account has reached its quota of 5 open event streams',
    });
    const other = await almanac.otherAccountToken();
    const theirs = `/v3/alm/stack/${await almanac.applyTemplate(undefined, other)}/events/stream`;
    const theirStream = await open(theirs, other);
    expect(theirStream.status).toBe(200);
    opened.shift()?.close();
    opened.push(await opensAgain(path, one.token), theirStream);
    for (const stream of opened) stream.close();
  });

  it('HEAD requests and refused requests do not use up the limit', async () => {
    const path = `/v3/alm/stack/${await almanac.applyTemplate()}/events/stream`;
    const token = await almanac.userToken();
    (await opensAgain(path, token)).close();
    for (let times = 0; times < 12; times += 1) {
      const head = await eventually(
        () => almanac.call('HEAD', path, { token }),
        ({ status }) => status === 200,
      );
      expect(head.status).toBe(200);
      expect((await open('/v3/alm/stack/mo-none/events/stream', token)).status).toBe(404);
    }
    (await opensAgain(path, token)).close();
  });
});
