import { describe, expect, it } from 'vitest';
import { first, ServedAlmanac, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const asClient = {
  grant_type: 'client_credentials',
  client_id: first.client_id,
  client_secret: first.client_secret,
};
const asUser = { ...first, grant_type: 'password' };
const formType = 'application/x-www-form-urlencoded';
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const works = async (token: unknown): Promise<boolean> =>
  (await almanac.call('GET', '/v3/alm/stack', { token: String(token) })).status !== 401;

describe('a token', () => {
  it.each([
    ['JSON on v3', '/v3/access_token', { json: asClient }],
    ['JSON on v2', '/v2/access_token', { json: asClient }],
    ['a form', '/v3/access_token', { form: asClient }],
    ['a form on v2', '/v2/access_token', { form: asClient }],
    [
      'a form that names its charset',
      '/v3/access_token',
      {
        raw: new URLSearchParams(asClient).toString(),
        headers: { 'content-type': `${formType}; charset=utf-8` },
      },
    ],
    [
      'HTTP Basic and a form',
      '/v3/access_token',
      { form: { grant_type: 'client_credentials' }, headers: basic(first.client_id, first.client_secret) },
    ],
    [
      'HTTP Basic and JSON',
      '/v3/access_token',
      { json: { grant_type: 'client_credentials' }, headers: basic(first.client_id, first.client_secret) },
    ],
    ['the password grant in JSON', '/v3/access_token', { json: asUser }],
    ['the password grant in a form', '/v3/access_token', { form: asUser }],
    ['an ignored scope', '/v3/access_token', { json: { ...asUser, scope: 'all' } }],
  ])('a token is issued for %s', async (_, path, request) => {
    const answer = await almanac.call('POST', path, request);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      token_type: 'Bearer',
      expires_in: 43200,
      access_token: expect.stringMatching(/^\S{20,}$/),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await works(answer.body.access_token)).toBe(true);
  });

  it('a token is issued to the master user by its email address', async () => {
    const json = { ...asUser, username: 'root@localhost' };
    expect((await almanac.call('POST', '/v3/access_token', { json })).status).toBe(200);
  });

  it('a token is issued to a stack that signs in with its auth_token, like agents do', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token } = await almanac.describe(stackId);
    const form = {
      grant_type: 'client_credentials',
      client_id: stackId,
      client_secret: String(auth_token),
    };
    const answer = await almanac.call('POST', '/v3/access_token', { form });
    expect(answer.status).toBe(200);
    expect(typeof answer.body.expires_in).toBe('number');
    expect(await works(answer.body.access_token)).toBe(true);
  });

  it('a v2 token is valid on v3 and vice versa, and survives a restart', async () => {
    const v2 = await almanac.call('POST', '/v2/access_token', { json: asClient });
    const v3 = await almanac.call('POST', '/v3/access_token', { json: asUser });
    await almanac.restart();
    expect(await works(v2.body.access_token)).toBe(true);
    expect(await works(v3.body.access_token)).toBe(true);
  });

  it('a token is stored as a digest only', async () => {
    const token = await almanac.userToken();
    const rows = await almanac.service.database.query.selectFrom('access_tokens').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('the password grant on v2', () => {
  it('the password grant is rejected on v2 by default', async () => {
    const answer = await almanac.call('POST', '/v2/access_token', { json: asUser });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('unsupported_grant_type');
  });

  it('the password grant is accepted on v2 with ALM_COMPAT_V2_PASSWORD=1', async () => {
    const compatible = await ServedAlmanac.start({ environment: { ALM_COMPAT_V2_PASSWORD: '1' } });
    const answer = await compatible.call('POST', '/v2/access_token', { json: asUser });
    const token = String(answer.body.access_token);
    expect((await compatible.call('GET', '/v3/alm/stack', { token })).status).toBe(200);
    await compatible.close();
  });
});
