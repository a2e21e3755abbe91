import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, ServedAlmanac } from './served-almanac.ts';

let almanac: ServedAlmanac;
let token: string;
beforeAll(async () => {
  almanac = await ServedAlmanac.start();
  token = await almanac.clientToken();
});
afterAll(() => almanac.close());

const balanced = {
  architecture: 'art_elb',
  type: 't2.micro',
  image: 'library/nginx',
  min: 2,
  max: 4,
  spotRange: 50,
};
const body = (configurations: unknown, more: object = {}) => ({
  cred: 'SANDBOX',
  region: 'ap-northeast-1',
  configurations,
  ...more,
});

const create = (configurations: unknown, more: object = {}) =>
  almanac.call('POST', '/v2/alm/stack', { token, json: body(configurations, more) });

async function settled(configurations: unknown): Promise<string> {
  const answer = await create(configurations);
  expect(answer.status).toBe(200);
  return waitFor(String(answer.body.stack_id), 'CREATE_COMPLETE');
}

async function waitFor(stackId: string, status: string): Promise<string> {
  await expect
    .poll(async () => (await describeOne(stackId)).stack_status, { timeout: 10_000, interval: 20 })
    .toBe(status);
  return stackId;
}

async function describeOne(stackId: string, as = token): Promise<Json> {
  const answer = await almanac.call<Json[]>('GET', `/v2/alm/stack/${stackId}`, { token: as });
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(1);
  return answer.body[0] as Json;
}

describe('create', () => {
  it('answers at once and comes up with its servers, spot share and address', async () => {
    const answer = await create(balanced);
    expect(answer.body).toEqual({
      stack_id: expect.stringMatching(/^mo-.*-tk$/),
      status: 'CREATE_IN_PROGRESS',
    });
    const stack = await describeOne(await waitFor(String(answer.body.stack_id), 'CREATE_COMPLETE'));
    const instances = stack.instances as Json[];
    expect(instances).toHaveLength(2);
    expect(instances.filter((server) => server.InstanceLifecycle === 'spot')).toHaveLength(1);
    expect(stack.stack_outputs).toContainEqual(expect.objectContaining({ OutputKey: 'Address' }));
    expect(stack).toMatchObject({ vendor: 'aws', cred: 'SA*****' });
  });

  it('keeps every value as text, and shows no password or key', async () => {
    const stack = await describeOne(
      await settled({
        ...balanced,
        dockerHubUsername: 'u',
        dockerHubPassword: 'pass-word-1',
        code: 'git@git.test:a.git',
        gitPrivateKey: 'KEY-KEY-1',
      }),
    );
    expect(stack.configuration).toMatchObject({
      min: '2',
      max: '4',
      spotRange: '50',
      architecture: 'art_elb',
      gitReference: 'master',
      AWS: 'SA*****',
      AWS_ACCOUNT_NAME: 'sandbox',
    });
    expect(JSON.stringify(stack)).not.toMatch(/pass-word-1|KEY-KEY-1/);
  });

  it('takes a form, configurations as JSON text, numbers as text and the vendor in capitals', async () => {
    const form = {
      vendor: 'AWS',
      cred: 'SANDBOX',
      region: 'us-east-1',
      configurations: JSON.stringify({ ...balanced, min: '1', nickname: '', code: '' }),
    };
    const answer = await almanac.call('POST', '/v2/alm/stack', { token, form });
    expect(answer.status).toBe(200);
    const stack = await describeOne(String(answer.body.stack_id));
    expect(stack.configuration).toMatchObject({ min: '1', region: 'us-east-1' });
    expect(stack.nickname).toMatch(/^[a-z]+ [a-z]+ [a-z]+$/);
  });

  it('brings databases with replicas and caches up, under the names of the interface', async () => {
    const stack = await describeOne(
      await settled({
        architecture: 'art_single',
        type: 't2.micro',
        database: [
          {
            Engine: 'db_mysql',
            DBType: 'db.t2.micro',
            DBStorage: '20',
            ReadReplica1: true,
            ReadReplica3: 'true',
          },
        ],
        elasticache: [
          { ElastiCacheEngine: 'Redis', ElastiCacheNodeType: 'cache.t2.micro', ElastiCacheNodes: 2 },
        ],
      }),
    );
    expect(stack.instances).toHaveLength(1);
    expect(stack.dbinstances).toHaveLength(3);
    expect((stack.dbinstances as Json[])[0]).toMatchObject({
      AllocatedStorage: '20',
      DBInstanceClass: 'db.t2.micro',
    });
    const keys = (stack.stack_outputs as Json[]).map((output) => output.OutputKey);
    expect(keys).toEqual(
      expect.arrayContaining([
        'DBAddress',
        'DBPort',
        'DBSlave1Address',
        'DBSlave2Address',
        'RedisPrimaryEndPointAddress',
      ]),
    );
  });

  it('refuses with every problem at once, each with its path', async () => {
    const answer = await create({
      architecture: 'art_big',
      min: 5,
      max: 2,
      spotRange: 101,
      database: [{ Engine: 'db_oracle', DBtype: 'x', DBStorage: 4 }],
    });
    expect([answer.status, answer.body.code]).toEqual([400, '1006']);
    const paths = (answer.body.problems as Json[]).map((problem) => problem.path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'configurations/architecture',
        'configurations/type',
        'configurations/spotRange',
        'configurations/database/0/Engine',
        'configurations/database/0/DBStorage',
      ]),
    );
  });

  it('refuses a missing credential, region or configuration, and an unknown credential', async () => {
    const empty = await almanac.call('POST', '/v2/alm/stack', { token, json: {} });
    expect([empty.status, empty.body.code]).toEqual([400, '1000']);
    expect(empty.body.message).toMatch(/cred not specified/);
    const unknown = await create(balanced, { cred: 'AKIANOBODY' });
    expect([unknown.status, unknown.body.code]).toEqual([400, '1006']);
  });

  it('is refused without a token and for a stack’s own token', async () => {
    expect((await almanac.call('POST', '/v2/alm/stack', { json: body(balanced) })).status).toBe(401);
    const stack = await settled(balanced);
    const { auth_token } = await describeOne(stack);
    const agent = await almanac.newToken({
      client_id: stack,
      client_secret: String(auth_token),
      grant_type: 'client_credentials',
    });
    expect((await almanac.call('POST', '/v2/alm/stack', { token: agent, json: body(balanced) })).status).toBe(
      403,
    );
  });
});

describe('list and describe', () => {
  it('list v2 stacks only, without what only describe tells; v3 does not know them', async () => {
    const stack = await settled(balanced);
    const fromTemplate = await almanac.applyTemplate();
    const list = await almanac.call<Json[]>('GET', '/v2/alm/stack', { token });
    const found = list.body.find((listed) => listed.stack_id === stack);
    expect(Object.keys(found ?? {}).toSorted()).toEqual([
      'auth_token',
      'configuration',
      'create_time',
      'nickname',
      'stack_id',
      'stack_outputs',
      'stack_status',
      'stack_status_reason',
      'user_id',
    ]);
    expect(list.text).not.toContain(fromTemplate);
    const user = await almanac.userToken();
    expect((await almanac.call('GET', `/v3/alm/stack/${stack}`, { token: user })).status).toBe(404);
    expect((await almanac.call('GET', `/v2/alm/stack/${fromTemplate}`, { token })).status).toBe(404);
    expect(
      (await almanac.call('GET', `/v2/alm/stack/${stack}`, { token: await almanac.otherAccountToken() }))
        .status,
    ).toBe(404);
  });

  it('are open to a user’s token as well', async () => {
    const stack = await settled(balanced);
    expect(await describeOne(stack, await almanac.userToken())).toMatchObject({ stack_id: stack });
  });
});

describe('update', () => {
  it('changes only what is sent, as an object or as JSON text', async () => {
    const stack = await settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const answer = await almanac.call('PUT', path, { token, json: { configurations: '{"min":3,"max":6}' } });
    expect([answer.status, answer.body]).toEqual([200, { status: 'UPDATE_IN_PROGRESS' }]);
    await waitFor(stack, 'UPDATE_COMPLETE');
    const updated = await describeOne(stack);
    expect(updated.configuration).toMatchObject({
      min: '3',
      max: '6',
      type: 't2.micro',
      spotRange: '50',
      image: 'library/nginx',
    });
    expect(updated.instances).toHaveLength(3);
    await almanac.call('PUT', path, { token, json: { configurations: { type: 'm5.large' } } });
    await waitFor(stack, 'UPDATE_COMPLETE');
    expect((await describeOne(stack)).configuration).toMatchObject({ type: 'm5.large', min: '3' });
  });

  it('of two parts at once loses neither', async () => {
    const stack = await settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    const changes = [{ max: 7 }, { type: 'm5.large' }, { spotRange: 10 }, { image: 'library/httpd' }];
    const answers = await Promise.all(
      changes.map((configurations) => almanac.call('PUT', path, { token, json: { configurations } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    await waitFor(stack, 'UPDATE_COMPLETE');
    expect((await describeOne(stack)).configuration).toMatchObject({
      max: '7',
      type: 'm5.large',
      spotRange: '10',
      image: 'library/httpd',
    });
  });

  it('keeps the secrets it does not name', async () => {
    const stack = await settled({ ...balanced, code: 'git@git.test:a.git', gitPrivateKey: 'KEPT-KEY' });
    await almanac.call('PUT', `/v2/alm/stack/${stack}`, { token, json: { configurations: { max: 5 } } });
    const config = await almanac.call('GET', `/v3/alm/agent/config?stack_id=${stack}&flag=any`, { token });
    expect(config.body).toMatchObject({ gitPrivateKey: 'KEPT-KEY', image: 'library/nginx' });
  });

  it('that cannot work is refused, and of a stack being deleted or unknown too', async () => {
    const stack = await settled(balanced);
    const path = `/v2/alm/stack/${stack}`;
    expect((await almanac.call('PUT', path, { token, json: { configurations: { min: 9 } } })).status).toBe(
      400,
    );
    expect((await almanac.call('PUT', path, { token, json: { configurations: '{"min":' } })).status).toBe(
      400,
    );
    await almanac.call('DELETE', path, { token });
    expect([404, 409]).toContain(
      (await almanac.call('PUT', path, { token, json: { configurations: { max: 5 } } })).status,
    );
    expect((await almanac.call('PUT', '/v2/alm/stack/mo-none', { token, json: {} })).status).toBe(404);
  });
});

describe('delete', () => {
  it('answers at once and leaves nothing', async () => {
    const stack = await settled(balanced);
    const answer = await almanac.call('DELETE', `/v2/alm/stack/${stack}`, { token });
    expect([answer.status, answer.body]).toEqual([200, { status: 'DELETE_IN_PROGRESS' }]);
    await waitFor(stack, 'DELETE_COMPLETE');
    expect((await almanac.call('GET', '/v2/alm/stack', { token })).text).not.toContain(stack);
    expect((await almanac.call('DELETE', `/v2/alm/stack/${stack}`, { token })).status).toBe(404);
  });
});
