import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../src/contract/openapi.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let stackId: string;
let otherStackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate(template);
  otherStackId = await almanac.applyTemplate(template);
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const template = {
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web01',
      provision: { availability_zone: 'ap-northeast-1a' },
      container: {
        container_image: 'registry.example/web:1',
        container_registry_username: 'robot',
        container_registry_password: 'registry-secret',
        container_git_repo: 'git@example.com:site.git',
        container_git_private_key: 'git-secret-key',
        container_code_dir: '/srv',
        container_ports: [80, 443],
        container_env_vars: { MODE: 'live' },
        container_users: [{ name: 'ann', public_key: 'ssh-ed25519 AAAA' }],
        container_addons: [{ name: 'mackerel', api_key: 'mackerel-key' }],
        container_storage: { type: 'local' },
      },
    },
    { role: 'bastion', flag: 'gate', provision: { availability_zone: 'ap-northeast-1a' } },
  ],
};

const agentStatus = '/v3/alm/agent/agent_status';
const containerStatus = '/v3/alm/agent/container_status';
const agentToken = () => almanac.stackToken(stackId);
const agentReport = (changes: Json = {}) => ({
  stack_id: stackId,
  agent_id: 'agent-1',
  status: 'starting',
  ...changes,
});
const containerReport = (changes: Json = {}) =>
  agentReport({ container_id: 'container-1', instance_id: 'i-1', ...changes });

const eventsOf = async (id: string): Promise<Json[]> =>
  (await almanac.call<Json[]>('GET', `/v3/alm/stack/${id}/events`, { token: await almanac.userToken() }))
    .body;
const fetchAs = async (path: string, token = almanac.userToken()) =>
  almanac.call<Json[]>('GET', path, { token: await token });

describe('agent reports', () => {
  it.each([
    ['agent status', agentStatus, agentReport],
    ['container status', containerStatus, containerReport],
  ] as const)('%s is accepted as JSON and as a form, with 202 and no body', async (_, path, body) => {
    const token = await agentToken();
    const sent = body({ status: 'installing' }) as Record<string, string>;
    for (const request of [
      { token, json: sent },
      { token, form: sent },
    ]) {
      const answer = await almanac.call('POST', path, request);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: '' });
    }
  });

  it.each([
    ['agent status', agentStatus, agentReport],
    ['container status', containerStatus, containerReport],
  ] as const)(
    '%s with members of a later release is accepted, so that agents may be newer than the service',
    async (_, path, body) => {
      const json = body({ of_a_later_release: 5, also: true, last: 'line' });
      expect((await almanac.call('POST', path, { token: await agentToken(), json })).status).toBe(202);
    },
  );

  it('agent reports are stored as events, once for each change', async () => {
    const token = await agentToken();
    for (const status of ['updating', 'updating', 'complete', 'complete'])
      await almanac.call('POST', containerStatus, {
        token,
        json: containerReport({ container_id: 'reported', status }),
      });
    const reported = (await eventsOf(stackId)).filter((event) => event.resource === 'reported');
    expect(reported.map(({ kind, status }) => [kind, status])).toEqual([
      ['agent', 'updating'],
      ['agent', 'complete'],
    ]);
  });

  it.each([
    ['without an agent', agentStatus, { agent_id: undefined }, 'agent_id not specified'],
    ['without a status', agentStatus, { status: undefined }, 'status not specified'],
    ['with too long a status', agentStatus, { status: 'x'.repeat(256) }, 'at most 255 characters'],
    ['with a control character', agentStatus, { agent_id: 'a\u0000' }, 'agent_id'],
    ['without a container', containerStatus, { container_id: undefined }, 'container_id not specified'],
  ])('%s are rejected with 400', async (_, path, change, words) => {
    const answer = await almanac.call('POST', path, {
      token: await agentToken(),
      json: containerReport(change),
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000' });
    expect(answer.body.message).toContain(words);
  });

  it.each([agentStatus, containerStatus])(
    '%s: only for its own stack, only in its own account',
    async (path) => {
      const send = async (token: Promise<string>, stack: string) =>
        (await almanac.call('POST', path, { token: await token, json: containerReport({ stack_id: stack }) }))
          .status;
      expect(await send(agentToken(), otherStackId)).toBe(403);
      expect(await send(almanac.otherAccountToken(), stackId)).toBe(404);
      expect(await send(almanac.clientToken(), stackId)).toBe(202);
      expect(await send(almanac.userToken(), 'mo-unknown')).toBe(404);
    },
  );

  it('reports about a deleted stack get 404', async () => {
    const gone = await almanac.applyTemplate();
    const token = await almanac.userToken();
    await almanac.call('DELETE', `/v3/alm/stack/${gone}?servers=replace`, { token });
    await almanac.waitFor(gone, 'DELETE_COMPLETE');
    const answer = await almanac.call('POST', agentStatus, { token, json: agentReport({ stack_id: gone }) });
    expect(answer.status).toBe(404);
  });
});

describe('the container configuration', () => {
  const config = (stack: string, flag: string, token = agentToken()) =>
    fetchAs(`/v3/alm/agent/config?stack_id=${stack}&flag=${flag}`, token);

  it('the container configuration has the names of every generation of agents', async () => {
    const answer = await config(stackId, 'web01');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      image: 'registry.example/web:1',
      environment_variables: { MODE: 'live' },
      gitReference: 'master',
      gitPrivateKey: 'git-secret-key',
      gitRepo: 'git@example.com:site.git',
      code_source: 'git',
      updated: expect.any(Number),
      container_image: 'registry.example/web:1',
      container_registry_username: 'robot',
      container_registry_password: 'registry-secret',
      container_code_dir: '/srv',
      container_code_source: 'git',
      container_git_repo: 'git@example.com:site.git',
      container_git_reference: 'master',
      container_git_private_key: 'git-secret-key',
      container_ports: [80, 443],
      container_env_vars: { MODE: 'live' },
      container_users: [{ name: 'ann', publicKey: 'ssh-ed25519 AAAA' }],
      container_addons: [{ name: 'mackerel', apiKey: 'mackerel-key' }],
      container_storage: { type: 'local', mountpath: '/mnt/storage' },
      container_updated: expect.any(Number),
      codeDir: '/srv',
      ports: [80, 443],
      environmentVariables: { MODE: 'live' },
    });
  });

  it('the container configuration is an empty body for an unknown flag and for a layer without a container', async () => {
    for (const flag of ['wrong', 'gate', '']) {
      const answer = await config(stackId, flag);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
    const { body } = await almanac.call<OpenApiDocument>('GET', '/openapi.json');
    const declared = body.paths['/v3/alm/agent/config']?.get as { responses: Json };
    expect(declared.responses['200']).toMatchObject({
      content: { 'application/json': {}, 'text/plain': { schema: { type: 'string', maxLength: 0 } } },
    });
  });

  it('the container configuration requires a flag and is limited to the own stack', async () => {
    expect((await fetchAs(`/v3/alm/agent/config?stack_id=${stackId}`, agentToken())).status).toBe(400);
    expect((await config(otherStackId, 'web01')).status).toBe(403);
    expect((await config(stackId, 'web01', almanac.otherAccountToken())).status).toBe(404);
  });
});

describe('temporary access', () => {
  it.each(['/v3/alm/sts', '/v2/alm/sts', '/v3/alm/agent/logs_access_token'])(
    'temporary access: %s',
    async (path) => {
      const empty = { AccessKeyId: '', SecretAccessKey: '', SessionToken: '' };
      const own = await fetchAs(`${path}?service=logs&stack_id=${stackId}`, agentToken());
      expect({ status: own.status, body: own.body }).toEqual({ status: 200, body: empty });
      expect((await fetchAs(path, agentToken())).body).toEqual(empty);
      expect((await fetchAs(path)).status).toBe(400);
      expect((await fetchAs(`${path}?stack_id=${otherStackId}`, agentToken())).status).toBe(403);
      expect((await fetchAs(`${path}?stack_id=${stackId}`, almanac.otherAccountToken())).status).toBe(404);
    },
  );
});
