import { beforeAll, describe, expect, it } from 'vitest';
import { resumeAccount, suspendAccount } from '../../../src/operations/accounts/change-account.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { Tenant } from './tenant.ts';

const almanac = useServedAlmanac();
const refusal = {
  code: '4001',
  error: 'account_suspended',
  message: 'The account is suspended; ask the operator',
};

describe('a suspended account', () => {
  let tenant: Tenant;
  let stackId: string;
  let asStack: object;
  let agent: string;
  let client: string;
  let asAgentClient: object;
  let agentClient: string;
  let keyLink: string;
  let stream: Response;

  const follow = (): Promise<Response> => {
    const headers = { authorization: `Bearer ${tenant.token}` };
    return fetch(`${almanac.url}/v3/alm/stack/${stackId}/events/stream`, { headers });
  };

  async function ownerToken(): Promise<string> {
    const { client_id, client_secret } = tenant.login;
    await almanac.service.database.query
      .updateTable('api_clients')
      .set({ kind: 'owner' })
      .where('id', '=', client_id)
      .execute();
    return almanac.newToken({ client_id, client_secret, grant_type: 'client_credentials' });
  }

  beforeAll(async () => {
    tenant = await Tenant.create(almanac, 'Late payer');
    stackId = await tenant.settledStack();
    const stack = await tenant.call('GET', `/v3/alm/stack/${stackId}`);
    asStack = {
      client_id: stackId,
      client_secret: stack.body.auth_token,
      grant_type: 'client_credentials',
    };
    agent = await almanac.newToken(asStack);
    client = await ownerToken();
    const made = await tenant.call('POST', '/v3/client', { json: { label: 'agents', kind: 'agent' } });
    const { client_id, client_secret } = made.body;
    asAgentClient = { client_id, client_secret, grant_type: 'client_credentials' };
    agentClient = await almanac.newToken(asAgentClient);
    keyLink = String((await tenant.call('GET', `/v3/alm/pem?stack_id=${stackId}`)).body.data);
    stream = await follow();
    await suspendAccount(almanac.service, tenant.id);
  });

  it.each([
    ['GET', '/v3/alm/stack'],
    ['POST', '/v3/alm/template'],
    ['GET', '/v3/user'],
    ['GET', '/v3/account'],
    ['DELETE', '/v3/alm/stack/any'],
  ])('the tokens of its users get 403 on %s %s', async (method, path) => {
    const { status, body } = await tenant.call(method, path);
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

  it('API clients of kind agent keep reporting for its stacks, with old and new tokens', async () => {
    const json = { stack_id: stackId, agent_id: 'agent-2', status: 'running' };
    for (const token of [agentClient, await almanac.newToken(asAgentClient)]) {
      const { status } = await almanac.call('POST', '/v3/alm/agent/agent_status', { token, json });
      expect(status).toBe(202);
      expect((await almanac.call('GET', '/v3/alm/stack', { token })).status).toBe(403);
    }
  });

  it('sign-in is refused after the correct password, and looks like any other after a wrong one', async () => {
    const signIn = (changes: Json) =>
      almanac.call('POST', '/v3/access_token', {
        json: { ...tenant.login, grant_type: 'password', ...changes },
      });
    const right = await signIn({});
    expect(right.status).toBe(403);
    expect(right.body).toMatchObject({ code: '4001', error: 'access_denied', message: refusal.message });
    expect((await signIn({ password: 'wrong-password' })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await signIn({ client_secret: 'wrong-secret' })).body).toMatchObject({ error: 'invalid_client' });
    const { username, password } = tenant.login;
    const atGateway = await almanac.call('POST', '/token', {
      json: { username: `${tenant.id}.${username}`, passwd: password },
    });
    expect(atGateway.body).toMatchObject(refusal);
  });

  it('links to keys from before the suspension are refused', async () => {
    const link = await almanac.call('GET', new URL(keyLink).pathname);
    expect(link).toMatchObject({ status: 403, body: refusal });
  });

  it('open event streams end', async () => {
    // Only the server ends it.
    expect(await stream.text()).toContain('CREATE_COMPLETE');
  });

  it('other accounts are not affected, and everything works again after it is resumed', async () => {
    const other = await almanac.userToken();
    expect((await almanac.call('GET', '/v3/alm/stack', { token: other })).status).toBe(200);
    await resumeAccount(almanac.service, tenant.id);
    expect((await tenant.call('GET', '/v3/alm/stack')).status).toBe(200);
    expect((await almanac.call('GET', '/v2/alm/stack', { token: client })).status).toBe(200);
    expect(await almanac.newToken({ ...tenant.login, grant_type: 'password' })).toMatch(/^alm_/);
  });
});
