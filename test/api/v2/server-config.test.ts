import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
let stack: string;
beforeAll(async () => {
  token = await almanac.clientToken();
  const configurations = {
    architecture: 'art_single',
    type: 't2.micro',
    image: 'library/nginx',
    code: 'https://git.test/site.git',
  };
  const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
  stack = String((await almanac.call('POST', '/v2/alm/stack', { token, json })).body.stack_id);
});

const show = async (): Promise<Json> =>
  (await almanac.call('GET', `/v2/alm/serverconfig?stack_id=${stack}`, { token })).body;
const change = (json: object) =>
  almanac.call('PUT', '/v2/alm/serverconfig', { token, json: { stack_id: stack, ...json } });
const agentConfig = async (): Promise<Json> =>
  (await almanac.call('GET', `/v3/alm/agent/config?stack_id=${stack}&flag=`, { token })).body;
const deploy = (json: object) => almanac.call('POST', `/v2/alm/stack/${stack}/code`, { token, json });

describe('the server configuration', () => {
  it('the server configuration is returned in the types clients decode', async () => {
    expect(await show()).toEqual({
      image: 'library/nginx',
      code: 'https://git.test/site.git',
      codeDir: '',
      ports: [],
      environmentVariables: [],
      gitReference: 'master',
      keypair_id: '',
      updated: expect.any(Number),
      version: '2017-02-01',
    });
  });

  it.each([
    ['an object', { A: '1', B: 'two' }],
    [
      'an array of names and values',
      [
        { name: 'A', value: '1' },
        { name: 'B', value: 'two' },
      ],
    ],
    ['an array of single members', [{ A: '1' }, { B: 'two' }]],
    ['an array of strings', ['A=1', 'B=two']],
  ])('the environment is accepted as %s and reaches the agents', async (_form, envvars) => {
    await change({ envvars: {} });
    const before = Number((await show()).updated);
    expect((await change({ envvars })).body).toEqual({ status: 'success' });
    const after = await show();
    expect(after.environmentVariables).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: 'two' },
    ]);
    expect(Number(after.updated)).toBeGreaterThan(before);
    expect((await agentConfig()).environment_variables).toMatchObject({ A: '1', B: 'two' });
  });

  it.each([[{}], [[]], [null]])('the environment is cleared with %j', async (envvars) => {
    await change({ envvars: { A: '1' } });
    expect((await change({ envvars })).status).toBe(200);
    expect((await show()).environmentVariables).toEqual([]);
  });

  it('accepts the stack in the query and a form body, and returns secrets to agents only', async () => {
    const answer = await almanac.call('PUT', `/v2/alm/serverconfig?stack_id=${stack}`, {
      token,
      form: {
        filepath: 'git@git.test:private.git',
        privateKey: 'WRITE-ONLY',
        branch: 'main',
        envvars: '{"C":"3"}',
      },
    });
    expect(answer.body).toEqual({ status: 'success' });
    const shown = await show();
    expect(shown).toMatchObject({
      code: 'git@git.test:private.git',
      gitReference: 'main',
      environmentVariables: [{ name: 'C', value: '3' }],
    });
    expect(JSON.stringify(shown)).not.toContain('WRITE-ONLY');
    expect(await agentConfig()).toMatchObject({
      gitPrivateKey: 'WRITE-ONLY',
      gitRepo: 'git@git.test:private.git',
      gitReference: 'main',
    });
  });

  it('the monitoring key and the key pair can be set separately', async () => {
    expect((await change({ mackerelApiKey: 'MONITOR-KEY' })).status).toBe(200);
    expect((await change({ keypair_id: 'pair-1' })).status).toBe(200);
    expect(await show()).toMatchObject({ keypair_id: 'pair-1' });
    expect(JSON.stringify(await show())).not.toContain('MONITOR-KEY');
  });

  it.each([
    [{}, /changes nothing/],
    [{ branch: 'main' }, /filepath/],
    [{ privateKey: 'K' }, /filepath/],
    [{ envvars: 7 }, /envvars/],
  ])('the server configuration rejects %j', async (fields, message) => {
    const answer = await change(fields);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', error: 'invalid_request' });
    expect(`${String(answer.body.message)} ${JSON.stringify(answer.body.problems)}`).toMatch(message);
  });

  it('rejects a missing stack, two different stacks, an unknown stack, another account and an agent', async () => {
    const path = '/v2/alm/serverconfig';
    expect((await almanac.call('GET', path, { token })).body.message).toBe('stack_id not specified');
    expect(
      (
        await almanac.call('PUT', `${path}?stack_id=mo-other`, {
          token,
          json: { stack_id: stack, envvars: {} },
        })
      ).status,
    ).toBe(400);
    expect((await almanac.call('GET', `${path}?stack_id=mo-none`, { token })).status).toBe(404);
    expect(
      (await almanac.call('GET', `${path}?stack_id=${stack}`, { token: await almanac.otherAccountToken() }))
        .status,
    ).toBe(404);
    expect((await almanac.call('GET', `${path}?stack_id=${stack}`)).status).toBe(401);
  });
});

describe('null', () => {
  it('null clears every member, and clearing the code clears its branch and key', async () => {
    const filepath = 'git@git.test:cleared.git';
    await change({ filepath, privateKey: 'CLEAR-ME', branch: 'b', keypair_id: 'k', mackerelApiKey: 'm' });
    expect((await change({ privateKey: null })).status).toBe(200);
    expect(await agentConfig()).toMatchObject({ gitRepo: filepath, gitReference: 'b' });
    expect(await agentConfig()).not.toHaveProperty('gitPrivateKey');
    const all = { filepath: null, privateKey: null, branch: null, keypair_id: null, mackerelApiKey: null };
    expect((await change({ ...all, envvars: null })).status).toBe(200);
    expect(await show()).toMatchObject({
      code: '',
      gitReference: '',
      keypair_id: '',
      environmentVariables: [],
    });
    const config = await agentConfig();
    expect(Object.keys(config)).toEqual(['image', 'container_image', 'updated', 'container_updated']);
    await change({ filepath: 'https://git.test/site.git' });
  });
});

describe('deploying code', () => {
  it.each([
    ['git_public', { filepath: 'https://git.test/one.git' }],
    ['github_public', { filepath: 'https://git.test/two.git' }],
    ['git_private', { filepath: 'git@git.test:three.git', privateKey: 'K3' }],
    ['github_private', { filepath: 'git@git.test:four.git', privateKey: 'K4' }],
    ['s3', { filepath: 'bucket/site.zip' }],
    ['object_store', { filepath: 'bucket/site2.zip' }],
  ])('deploying code by %s reaches the agents', async (method, fields) => {
    const before = Number((await agentConfig()).updated);
    expect((await deploy({ method, ...fields })).body).toEqual({ status: 'success' });
    const after = await agentConfig();
    expect(after.gitRepo).toBe(fields.filepath);
    const source = /s3|object/.test(method) ? 'object_store' : 'git';
    expect([after.code_source, after.container_code_source]).toEqual([source, source]);
    expect('gitReference' in after).toBe(source === 'git');
    expect(Number(after.updated)).toBeGreaterThan(before);
  });

  it('deploying by git without a location makes the agents fetch the code again', async () => {
    const before = await agentConfig();
    expect((await deploy({ method: 'git' })).status).toBe(200);
    const after = await agentConfig();
    expect(after.gitRepo).toBe(before.gitRepo);
    expect(Number(after.updated)).toBeGreaterThan(Number(before.updated));
  });

  it.each([
    [{}, 'method'],
    [{ method: 'carrier_pigeon' }, 'method'],
    [{ method: 'git_public' }, 'filepath'],
    [{ method: 'git_private', filepath: 'x' }, 'privateKey'],
  ])('deploying code rejects %j', async (fields, path) => {
    const answer = await deploy(fields);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', error: 'invalid_request' });
    expect((answer.body.problems as Json[]).map((problem) => problem.path)).toContain(path);
  });

  it('deploying code is rejected for an unknown stack, another account and without a token', async () => {
    const json = { method: 'git_public', filepath: 'https://git.test/x.git' };
    expect((await almanac.call('POST', '/v2/alm/stack/mo-none/code', { token, json })).status).toBe(404);
    expect(
      (
        await almanac.call('POST', `/v2/alm/stack/${stack}/code`, {
          token: await almanac.otherAccountToken(),
          json,
        })
      ).status,
    ).toBe(404);
    expect((await almanac.call('POST', `/v2/alm/stack/${stack}/code`, { json })).status).toBe(401);
  });
});
