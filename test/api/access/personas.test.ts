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

describe('access on v3', () => {
  it('an API client token gets 403 with the error members of both client generations', async () => {
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

  it('a stack token gets 403, even for its own stack', async () => {
    const answer = await describeStack({ token: await almanac.stackToken(stackId) });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: '4000', RBAC: 'Action not allowed' });
  });

  it('a request without a token gets 401', async () => {
    const answer = await describeStack({});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answer.body).toMatchObject({ code: '0401', error: 'unauthorized' });
  });

  it.each([
    ['an unknown token', 'Bearer alm_made-up'],
    ['an empty token', 'Bearer '],
    ['HTTP Basic', `Basic ${Buffer.from(`${first.username}:${first.password}`).toString('base64')}`],
  ])('a request with %s gets 401', async (_, authorization) => {
    const answer = await describeStack({ headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('a request with an expired token gets 401', async () => {
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

  it('the From header is ignored', async () => {
    expect((await describeStack({ headers: { from: 'root' } })).status).toBe(401);
  });

  it('another account sees no stack of the first account', async () => {
    const token = await almanac.otherAccountToken();
    expect((await almanac.call<unknown[]>('GET', '/v3/alm/stack', { token })).body).toEqual([]);
    expect((await describeStack({ token })).status).toBe(404);
  });
});

describe('credentials of an account', () => {
  it('credentials of an account cannot be used by another account', async () => {
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
