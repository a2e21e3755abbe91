import { beforeAll, describe, expect, it } from 'vitest';
import { changeAccount } from '../../../src/store/access/account-rows.ts';
import { makeOtherAccount } from '../access/other-account.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
const refusal = {
  code: '4001',
  error: 'account_suspended',
  message: 'The account is suspended; ask the operator',
};

describe('a suspended account', () => {
  let login: Awaited<ReturnType<typeof makeOtherAccount>>;
  let accountId: string;
  let user: string;
  let client: string;
  let agent: string;
  let asStack: object;
  let stackId: string;

  beforeAll(async () => {
    login = await makeOtherAccount(almanac.service);
    accountId = login.client_id.split('-')[1] ?? '';
    const { client_id, client_secret } = login;
    const grant_type = 'client_credentials';
    user = await almanac.newToken({ ...login, grant_type: 'password' });
    client = await almanac.newToken({ client_id, client_secret, grant_type });
    stackId = await almanac.applyTemplate(undefined, user);
    const stack = await almanac.call('GET', `/v3/alm/stack/${stackId}`, { token: user });
    asStack = { client_id: stackId, client_secret: String(stack.body.auth_token), grant_type };
    agent = await almanac.newToken(asStack);
    await changeAccount(almanac.service.database.query, accountId, { suspended_at: 1 });
  });

  it.each([
    ['GET', '/v3/alm/stack'],
    ['POST', '/v3/alm/template'],
    ['GET', '/v3/user'],
    ['DELETE', '/v3/alm/stack/any'],
  ])('the tokens of its users get 403 on %s %s', async (method, path) => {
    const { status, body } = await almanac.call(method, path, { token: user });
    expect({ status, body }).toMatchObject({ status: 403, body: refusal });
    expect(body).not.toHaveProperty('RBAC');
  });

  it('the tokens of its API clients get 403 on v2 paths and on agent paths', async () => {
    for (const path of ['/v2/alm/stack', `/v3/alm/agent/config?stack_id=${stackId}`]) {
      const { status, body } = await almanac.call('GET', path, { token: client });
      expect({ path, status, body }).toMatchObject({ path, status: 403, body: refusal });
    }
  });

  it('the agents of its stacks keep reporting, with old and new tokens', async () => {
    const json = { stack_id: stackId, agent_id: 'agent-1', status: 'running' };
    for (const token of [agent, await almanac.newToken(asStack)]) {
      const { status } = await almanac.call('POST', '/v3/alm/agent/agent_status', { token, json });
      expect(status).toBe(202);
    }
  });

  it('sign-in is refused after the correct password, and looks like any other after a wrong one', async () => {
    const signIn = (changes: Json) =>
      almanac.call('POST', '/v3/access_token', { json: { ...login, grant_type: 'password', ...changes } });
    const right = await signIn({});
    expect(right.status).toBe(403);
    expect(right.body).toMatchObject({ code: '4001', error: 'access_denied', message: refusal.message });
    expect((await signIn({ password: 'wrong-password' })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await signIn({ client_secret: 'wrong-secret' })).body).toMatchObject({ error: 'invalid_client' });
  });

  it('other accounts are not affected, and everything works again after it is resumed', async () => {
    const other = await almanac.userToken();
    expect((await almanac.call('GET', '/v3/alm/stack', { token: other })).status).toBe(200);
    await changeAccount(almanac.service.database.query, accountId, { suspended_at: null });
    expect((await almanac.call('GET', '/v3/alm/stack', { token: user })).status).toBe(200);
    expect(await almanac.newToken({ ...login, grant_type: 'password' })).toMatch(/^alm_/);
  });
});
