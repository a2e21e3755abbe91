import { describe, expect, it } from 'vitest';
import { scopeAllowing } from '../access/access-caller.ts';
import { makeOtherAccount } from '../access/other-account.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();

const { client_id, client_secret } = first;

const newToken = async (): Promise<string> => {
  const json = { ...first, grant_type: 'password' };
  return String((await almanac.call('POST', '/v3/access_token', { json })).body.access_token);
};
const statusWith = async (token: string) => (await almanac.call('GET', '/v3/alm/stack', { token })).status;
const revoke = (form: Record<string, string>, headers = {}) =>
  almanac.call('POST', '/v3/revoke', { form, headers });

describe('revoking a token', () => {
  it('revoking the token of the client takes effect immediately and returns 200 without a body', async () => {
    const token = await newToken();
    expect(await statusWith(token)).toBe(200);
    const answer = await revoke({ token, token_type_hint: 'access_token', client_id, client_secret });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(await statusWith(token)).toBe(401);
  });

  it('revoking a token works with HTTP Basic', async () => {
    const token = await newToken();
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    expect((await revoke({ token }, { authorization: `Basic ${basic}` })).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
  });

  it('revoking the token of another client returns 200 and has no effect', async () => {
    const other = await makeOtherAccount(almanac.service);
    const token = await newToken();
    const answer = await revoke({ ...other, token });
    expect(answer.status).toBe(200);
    expect(await statusWith(token)).toBe(200);
  });

  describe('that is a personal access token', () => {
    const make = async (): Promise<{ token: string; id: string }> => {
      const json = { name: 'leaked', scope: scopeAllowing('*'), current_password: first.password };
      const { body } = await almanac.call('POST', '/v3/personal_token', { json, token: await newToken() });
      return { token: String(body.token), id: String(body.token_id) };
    };

    it.each([
      ['the public client', { client_id: 'alm' }],
      ['a client of its account', { client_id, client_secret }],
    ])('works through %s, and the audit log has it', async (_, client) => {
      const { token, id } = await make();
      expect(await statusWith(token)).toBe(200);
      expect((await revoke({ token, ...client })).status).toBe(200);
      expect(await statusWith(token)).toBe(401);
      const logged = await almanac.call<Json[]>('GET', '/v3/audit?action=revoke', {
        token: await newToken(),
      });
      expect(logged.body.find(({ resource }) => resource === `mrn:alm:token:${id}`)).toMatchObject({
        actor: client.client_id,
        detail: 'revoked personal access token leaked of user root',
      });
    });

    it('has no effect through a client of another account', async () => {
      const other = await makeOtherAccount(almanac.service);
      const { token } = await make();
      expect((await revoke({ ...other, token })).status).toBe(200);
      expect(await statusWith(token)).toBe(200);
    });
  });

  it('revoking an unknown token returns 200', async () => {
    expect((await revoke({ token: 'alm_unknown', client_id, client_secret })).status).toBe(200);
  });

  it('revoking requires client authentication and a token', async () => {
    const token = await newToken();
    const unproven = await revoke({ token, client_id, client_secret: 'wrong' });
    expect(unproven.status).toBe(401);
    expect(unproven.body.error).toBe('invalid_client');
    const nothing = await revoke({ client_id, client_secret });
    expect(nothing.status).toBe(400);
    expect(nothing.body).toMatchObject({ error: 'invalid_request', message: 'token not specified' });
    expect(await statusWith(token)).toBe(200);
  });
});

describe('deleting a stack', () => {
  it('deleting a stack revokes the tokens of its agents and prevents new sign-ins', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token } = await almanac.describe(stackId);
    const token = await almanac.stackToken(stackId);
    expect(await statusWith(token)).toBe(403);
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, {
      token: await almanac.userToken(),
    });
    await almanac.waitFor(stackId, 'DELETE_COMPLETE');
    expect(await statusWith(token)).toBe(401);
    const json = { grant_type: 'client_credentials', client_id: stackId, client_secret: auth_token };
    expect((await almanac.call('POST', '/v3/access_token', { json })).status).toBe(401);
  });
});
