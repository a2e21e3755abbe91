import { describe, expect, it } from 'vitest';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { makeOtherAccount } from './other-account.ts';

const almanac = useServedAlmanac();

const { client_id, client_secret } = first;

const newToken = async (): Promise<string> => {
  const json = { ...first, grant_type: 'password' };
  return String((await almanac.call('POST', '/v3/access_token', { json })).body.access_token);
};
const statusWith = async (token: string) => (await almanac.call('GET', '/v3/alm/stack', { token })).status;
const revoke = (form: Record<string, string>, headers = {}) =>
  almanac.call('POST', '/v3/revoke', { form, headers });

describe('revoking', () => {
  it("ends the client's own token at once, and answers 200 without a body", async () => {
    const token = await newToken();
    expect(await statusWith(token)).toBe(200);
    const answer = await revoke({ token, token_type_hint: 'access_token', client_id, client_secret });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(await statusWith(token)).toBe(401);
  });

  it('works with HTTP Basic as well', async () => {
    const token = await newToken();
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    expect((await revoke({ token }, { authorization: `Basic ${basic}` })).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
  });

  it("answers 200 to another client's token, which goes on working", async () => {
    const other = await makeOtherAccount(almanac.service);
    const token = await newToken();
    const answer = await revoke({ ...other, token });
    expect(answer.status).toBe(200);
    expect(await statusWith(token)).toBe(200);
  });

  it('answers 200 to a token nobody knows', async () => {
    expect((await revoke({ token: 'alm_unknown', client_id, client_secret })).status).toBe(200);
  });

  it('refuses a client that does not prove itself, and a request without a token', async () => {
    const token = await newToken();
    const stranger = await revoke({ token, client_id, client_secret: 'wrong' });
    expect(stranger.status).toBe(401);
    expect(stranger.body.error).toBe('invalid_client');
    const nothing = await revoke({ client_id, client_secret });
    expect(nothing.status).toBe(400);
    expect(nothing.body).toMatchObject({ error: 'invalid_request', message: 'token not specified' });
    expect(await statusWith(token)).toBe(200);
  });
});

describe('deleting a stack', () => {
  it('ends the tokens its agents hold, and takes no new sign-in', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token } = await almanac.describe(stackId);
    const token = await almanac.stackToken(stackId);
    expect(await statusWith(token)).toBe(403);
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}`, { token: await almanac.userToken() });
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect(await statusWith(token)).toBe(401);
    const json = { grant_type: 'client_credentials', client_id: stackId, client_secret: auth_token };
    expect((await almanac.call('POST', '/v3/access_token', { json })).status).toBe(401);
  });
});
