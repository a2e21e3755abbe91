import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { makeOtherAccount } from '../access/other-account.ts';
import { useServedAlmanac } from '../served-almanac.ts';

/** There is no engine: these requests fail or succeed before one is needed. */
const almanac = useServedAlmanac({
  environment: {
    ALM_DOCKER_SOCKET: '/nowhere/engine.sock',
    ALM_TOKEN_RATE_LIMIT: '10',
    ALM_RATE_LIMIT: '100',
  },
});

/** Calls the API like an agent in a container on this machine. */
const overSocket = (path: string, body: object, token?: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const socketPath = join(almanac.dataDirectory, 'agents', 'server.sock');
    const call = request({ socketPath, path, method: 'POST', headers }, (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });

describe('the agent socket', () => {
  it('the agent socket serves the same API, including limits and the audit log', async () => {
    const stackId = await almanac.applyTemplate();
    const { auth_token: secret } = await almanac.describe(stackId);
    const login = { grant_type: 'client_credentials', client_id: stackId, client_secret: secret };
    const signedIn = await overSocket('/v3/access_token', login);
    expect(signedIn.status, signedIn.text).toBe(200);
    const { access_token: token } = JSON.parse(signedIn.text);
    const report = { stack_id: stackId, agent_id: 'a', status: 'starting' };
    expect((await overSocket('/v3/alm/agent/agent_status', report, token)).status).toBe(202);
    expect((await overSocket('/v3/access_token', { ...login, client_secret: 'wrong' })).status).toBe(401);
    expect((await overSocket('/v3/alm/template', {})).status).toBe(401);
    // Its failures do not affect other callers.
    expect(await almanac.applyTemplate()).toMatch(/^mo-/);
  });
});

describe('containers on the machine of the server', () => {
  const template = { ...oneServer(), vendor: { docker: { cred: 'local', region: 'local', secret: 'any' } } };

  it('the first account may use the containers of this machine', async () => {
    expect(await almanac.applyTemplate(template)).toMatch(/^mo-/);
  });

  it('other accounts may not use the containers of this machine', async () => {
    const other = await makeOtherAccount(almanac.service);
    const token = await almanac.newToken({ ...other, grant_type: 'password' });
    const answer = await almanac.call('POST', '/v3/alm/template', { json: template, token });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('ALM_DOCKER_ACCOUNTS');
  });
});
