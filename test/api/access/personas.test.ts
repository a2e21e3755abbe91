import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { first, type ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
});

const describeStack = (request: Parameters<ServedAlmanac['call']>[2]) =>
  almanac.call('GET', `/v3/alm/stack/${stackId}`, request);

const newUserToken = async () => {
  const json = { ...first, grant_type: 'password' };
  return String((await almanac.call('POST', '/v3/access_token', { json })).body.access_token);
};

describe('on v3', () => {
  it("an API client's token is refused with 403, in the words of both generations of clients", async () => {
    const answer = await describeStack({ token: await almanac.clientToken() });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      code: '4000',
      error: 'forbidden',
      message: 'RBAC response is limited.',
      description:
        'A client_credentials token is valid only for agent endpoints on v3 paths; sign in with grant_type password.',
      RBAC: 'Action not allowed',
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it("a stack's token is refused with 403, also about the stack itself", async () => {
    const answer = await describeStack({ token: await almanac.stackToken(stackId) });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: '4000', RBAC: 'Action not allowed' });
  });

  it('nobody is let in without a token', async () => {
    const answer = await describeStack({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answer.body).toMatchObject({ code: '0401', error: 'unauthorized' });
  });

  it.each([
    ['a token nobody gave out', 'Bearer alm_made-up'],
    ['an empty token', 'Bearer '],
    ['HTTP Basic', `Basic ${Buffer.from(`${first.username}:${first.password}`).toString('base64')}`],
  ])('nobody is let in with %s', async (_, authorization) => {
    const answer = await describeStack({ headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('nobody is let in with a token that has expired', async () => {
    const token = await newUserToken();
    expect((await describeStack({ token })).status).toBe(200);
    await almanac.service.database.query
      .updateTable('access_tokens')
      .set({ expires_at: almanac.service.clock.now() })
      .where('kind', '=', 'user')
      .where('issued_at', '=', (eb) =>
        eb.selectFrom('access_tokens').select((s) => s.fn.max('issued_at').as('newest')),
      )
      .execute();
    const answer = await describeStack({ token });
    expect(answer.status).toBe(401);
    expect(answer.body.message).toBe('The access token is invalid or expired');
  });

  it('the From header of a gateway is not believed', async () => {
    expect((await describeStack({ headers: { from: 'root' } })).status).toBe(401);
  });

  it("another account sees none of the first account's stacks", async () => {
    const token = await almanac.otherAccountToken();
    expect((await almanac.call<unknown[]>('GET', '/v3/alm/stack', { token })).body).toEqual([]);
    expect((await describeStack({ token })).status).toBe(404);
  });
});

describe('credentials of one account', () => {
  it('are not usable from another', async () => {
    const vendor = { sandbox: { cred: 'OWN', region: 'ap-northeast-1', secret: 'own secret' } };
    await almanac.applyTemplate({ ...oneServer(), vendor });
    const { secret: _, ...sandbox } = vendor.sandbox;
    const answer = await almanac.call('POST', '/v3/alm/template', {
      token: await almanac.otherAccountToken(),
      json: { ...oneServer(), vendor: { sandbox } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('1006');
  });
});
