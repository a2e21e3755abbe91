import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { Tenant } from './tenant.ts';

const almanac = useServedAlmanac({ environment: { ALM_RATE_LIMIT: '5', ALM_MAX_STACKS: '3' } });

describe('the quota of stacks', () => {
  let tenant: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    [tenant, other] = [await Tenant.create(almanac, 'Small'), await Tenant.create(almanac, 'Neighbour')];
    for (const each of [tenant, other]) await each.setQuota({ requests: 0 });
    await tenant.setQuota({ stacks: 2 });
  });

  it('stacks beyond it are refused with the value and who can raise it, even when requested at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.applyTemplate()));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 403, 403, 403, 403,
    ]);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      code: '4002',
      error: 'quota_exceeded',
      message: 'The account has reached its quota of 2 stacks',
      description: expect.stringContaining('The operator of this server can raise the quota'),
    });
    expect((await tenant.call<Json[]>('GET', '/v3/alm/stack')).body).toHaveLength(2);
  });

  it('another account has its own, which is the default of the server unless it is set', async () => {
    for (let each = 0; each < 3; each += 1) expect((await other.applyTemplate()).status).toBe(201);
    expect((await other.applyTemplate()).body.message).toBe('The account has reached its quota of 3 stacks');
  });

  it('updates and deletions are not limited, and a deleted stack makes room', async () => {
    const [stack] = (await tenant.call<Json[]>('GET', '/v3/alm/stack')).body;
    const id = String(stack?.stack_id);
    const update = await tenant.call('PUT', `/v3/alm/template/${id}`, { json: oneServer(2) });
    expect(update.status).toBe(202);
    await tenant.call('DELETE', `/v3/alm/stack/${id}?servers=replace`);
    await tenant.waitFor(id, 'DELETE_COMPLETE');
    expect((await tenant.applyTemplate()).status).toBe(201);
  });

  it('every signed-in user sees the usage and the quotas of the account', async () => {
    const token = await tenant.newUser('ann');
    const { body } = await tenant.call('GET', '/v3/account', { token });
    expect(body).toEqual({
      account_id: tenant.id,
      name: 'Small',
      create_time: expect.stringMatching(/\+00:00$/),
      usage: { stacks: 2, versions: 1, users: 2, clients: 1 },
      quota: { stacks: 2, versions: 0, streams: 1000, requests: 0 },
    });
  });
});

describe('the quota of requests', () => {
  const flood = (tenant: Tenant) =>
    Promise.all(Array.from({ length: 40 }, () => tenant.call('GET', '/v3/alm/stack')));

  it('a flood of one account is refused with its quota, and does not slow another account down', async () => {
    const [loud, calm] = [await Tenant.create(almanac, 'Loud'), await Tenant.create(almanac, 'Calm')];
    const [answers, other] = await Promise.all([flood(loud), calm.call('GET', '/v3/alm/stack')]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      error: 'too_many_requests',
      description:
        'The quota of the account is 5 requests per second; the operator of this server can raise it. A user or API client may take half of it, a personal access token a quarter.',
    });
    expect(other.status).toBe(200);
  });
});
