import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json } from '../served-almanac.ts';
import { first, ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';

/** Bursts of two seconds are allowed; the tests send more than that at the same time. */
const slow = { ALM_RATE_LIMIT: '5', ALM_TOKEN_RATE_LIMIT: '3' };

const statusesOf = (answers: readonly { status: number }[]) => [
  ...new Set(answers.map(({ status }) => status)),
];
const together = (times: number, call: () => Promise<Answer<Json>>) =>
  Promise.all(Array.from({ length: times }, call));

describe('rate limits', () => {
  const almanac = useServedAlmanac({ environment: slow });
  let token: string;
  beforeAll(async () => {
    token = await almanac.userToken();
  });

  const list = (request: { token: string }) => almanac.call('GET', '/v3/alm/stack', request);

  it('an account that exceeds its limit gets 429 with Retry-After and the error body', async () => {
    const answers = await together(40, () => list({ token }));
    const passed = answers.filter(({ status }) => status === 200);
    expect(new Set(statusesOf(answers))).toEqual(new Set([200, 429]));
    expect(passed.length).toBeGreaterThanOrEqual(10);
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.headers.get('retry-after')).toBe('1');
    expect(limited?.body).toMatchObject({
      code: '0429',
      error: 'too_many_requests',
      message: 'Too many requests; retry in 1 s',
    });
  });

  it('the limit of one account does not affect other accounts', async () => {
    const other = almanac.otherAccountToken();
    await together(30, () => list({ token }));
    expect((await list({ token: await other })).status).toBe(200);
  });

  it('the token endpoint is limited by address and reports RFC 6749 errors', async () => {
    const { client_id, client_secret } = first;
    const json = { grant_type: 'client_credentials', client_id, client_secret };
    const answers = await together(20, () => almanac.call('POST', '/v3/access_token', { json }));
    expect(new Set(statusesOf(answers))).toEqual(new Set([200, 429]));
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.body).toMatchObject({ code: '0429', error: 'too_many_requests' });
    expect(limited?.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['no token', {}],
    ['an invalid token', { token: 'alm_wrong' }],
  ])('requests with %s are limited by address', async (_, request) => {
    const answers = await together(20, () => almanac.call('GET', '/v3/alm/stack', request));
    expect(statusesOf(answers)).toContain(429);
    expect(statusesOf(answers)).not.toContain(200);
  });

  it('the API reference and its files are limited by address', async () => {
    for (const path of ['/docs', '/docs/v3-stacks', '/docs/static/reference.css', '/docs/static/none']) {
      const statuses = statusesOf(await together(30, () => almanac.call('GET', path)));
      expect(statuses, path).toContain(429);
    }
  });

  it('monitoring routes are never limited', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(statusesOf(await together(20, () => almanac.call('GET', path)))).toEqual([200]);
  });
});

describe('the agents of a stack', () => {
  it('the agents of a stack have their own limit, separate from the users of the account', async () => {
    const almanac = await ServedAlmanac.start({ environment: { ALM_RATE_LIMIT: '5' } });
    const stackId = await almanac.applyTemplate();
    const agent = await almanac.stackToken(stackId);
    const token = await almanac.userToken();
    await together(40, () => almanac.call('GET', '/v3/alm/stack', { token }));
    const json = { stack_id: stackId, agent_id: 'agent-1', status: 'running' };
    const report = () => almanac.call('POST', '/v3/alm/agent/agent_status', { token: agent, json });
    const answers = await together(8, report);
    expect(statusesOf(answers)).not.toContain(429);
    expect(statusesOf(await together(40, report))).toContain(429);
    await almanac.close();
  });
});

it('behind a trusted proxy, each caller is limited by its own address', async () => {
  const environment = { ALM_TOKEN_RATE_LIMIT: '1', ALM_TRUST_PROXY: '127.0.0.1' };
  const almanac = await ServedAlmanac.start({ environment });
  const from = (address: string) =>
    almanac.call('GET', '/v3/alm/stack', { headers: { 'x-forwarded-for': address } });
  expect(statusesOf(await together(10, () => from('192.0.2.1')))).toContain(429);
  expect((await from('192.0.2.2')).status).toBe(401);
  await almanac.close();
});

it('password checks do not delay other requests', async () => {
  const almanac = await ServedAlmanac.start();
  let signedIn = 0;
  const logins = Array.from({ length: 20 }, async (_, index) => {
    const json = { ...first, grant_type: 'password', username: `nobody-${index}` };
    const { status } = await almanac.call('POST', '/v3/access_token', { json });
    signedIn += 1;
    return status;
  });
  const health = await almanac.call('GET', '/healthz');
  const signedInBefore = signedIn;
  expect(health.status).toBe(200);
  expect(signedInBefore).toBeLessThan(20);
  expect([...new Set(await Promise.all(logins))]).toEqual([400]);
  await almanac.close();
});
