import { beforeAll, describe, expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { balanced, createBody, V2Caller } from './caller.ts';

const almanac = useServedAlmanac();
let v2: V2Caller;
let token: string;
beforeAll(async () => {
  v2 = await V2Caller.of(almanac);
  token = v2.token;
});

describe('v2 create', () => {
  it('a v2 create replies immediately, and the stack gets its servers, spot share and address', async () => {
    const answer = await v2.create(balanced);
    expect(answer.body).toEqual({
      stack_id: expect.stringMatching(/^mo-.*-tk$/),
      status: 'CREATE_IN_PROGRESS',
    });
    const stack = await v2.describe(await v2.waitFor(String(answer.body.stack_id), 'CREATE_COMPLETE'));
    const instances = stack.instances as Json[];
    expect(instances).toHaveLength(2);
    expect(instances.filter((server) => server.InstanceLifecycle === 'spot')).toHaveLength(1);
    expect(stack.stack_outputs).toContainEqual(expect.objectContaining({ OutputKey: 'Address' }));
    expect(stack).toMatchObject({ vendor: 'aws', cred: 'SA*****' });
  });

  it('a v2 stack stores every value as a string and returns no password or key', async () => {
    const stack = await v2.describe(
      await v2.settled({
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

  it('a v2 create accepts a form, JSON strings, numeric strings and an upper-case vendor', async () => {
    const form = {
      vendor: 'AWS',
      cred: 'SANDBOX',
      region: 'us-east-1',
      configurations: JSON.stringify({ ...balanced, min: '1', nickname: '', code: '' }),
    };
    const answer = await almanac.call('POST', '/v2/alm/stack', { token, form });
    expect(answer.status).toBe(200);
    const stack = await v2.describe(String(answer.body.stack_id));
    expect(stack.configuration).toMatchObject({ min: '1', region: 'us-east-1' });
    expect(stack.nickname).toMatch(/^[a-z]+ [a-z]+ [a-z]+$/);
  });

  it('a v2 stack gets databases with replicas and caches, under the names of the API', async () => {
    const stack = await v2.describe(
      await v2.settled({
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

  it('a v2 create reports all problems at once, each with its path', async () => {
    const answer = await v2.create({
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

  it('a v2 create rejects a missing credential, region or configuration, and an unknown credential', async () => {
    const empty = await almanac.call('POST', '/v2/alm/stack', { token, json: {} });
    expect([empty.status, empty.body.code]).toEqual([400, '1000']);
    expect(empty.body.message).toMatch(/cred not specified/);
    const unknown = await v2.create(balanced, { cred: 'AKIANOBODY' });
    expect([unknown.status, unknown.body.code]).toEqual([400, '1006']);
    expect(unknown.body.problems).toEqual([
      {
        path: 'cred',
        message: 'unknown credential AKIANOBODY; save it with POST /v2/credentials first',
      },
    ]);
    const nowhere = await v2.create(balanced, { vendor: 'nowhere' });
    expect([nowhere.status, nowhere.body.code]).toEqual([400, '1000']);
    expect(nowhere.body.problems).toMatchObject([{ path: 'vendor' }]);
  });

  it('a v2 create accepts the older name of the vendor', async () => {
    const credentials = {
      vendor: 'K5Cloud',
      credentials: { K5AccessKeyId: 'SANDBOX', K5SecretKey: 's', K5AccountName: 'five' },
    };
    const saved = await almanac.call('POST', '/v2/credentials', { token, json: credentials });
    expect(saved.text).toContain('success');
    const answer = await v2.create(balanced, { vendor: 'K5Cloud' });
    expect(answer.status).toBe(200);
    expect(await v2.describe(String(answer.body.stack_id))).toMatchObject({
      vendor: 'k5',
      configuration: { AWS_ACCOUNT_NAME: 'five' },
    });
  });

  it('a v2 create is rejected without a token and with a stack token', async () => {
    expect((await almanac.call('POST', '/v2/alm/stack', { json: createBody(balanced) })).status).toBe(401);
    const stack = await v2.settled(balanced);
    const { auth_token } = await v2.describe(stack);
    const agent = await almanac.newToken({
      client_id: stack,
      client_secret: String(auth_token),
      grant_type: 'client_credentials',
    });
    expect(
      (await almanac.call('POST', '/v2/alm/stack', { token: agent, json: createBody(balanced) })).status,
    ).toBe(403);
  });
});

describe('v2 list and describe', () => {
  it('the v2 list has v2 stacks only, without the members of describe, and v3 does not list them', async () => {
    const stack = await v2.settled(balanced);
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

  it('the v2 list has pages that together are the whole list, each with a link to the next', async () => {
    const idsAt = async (path: string) => {
      const { body, headers } = await almanac.call<Json[]>('GET', path, { token });
      return {
        ids: body.map((stack) => stack.stack_id),
        next: /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1],
      };
    };
    const all = await idsAt('/v2/alm/stack');
    expect(all.next).toBeUndefined();
    const seen: unknown[] = [];
    for (let path: string | undefined = '/v2/alm/stack?limit=3'; path; ) {
      const page = await idsAt(path);
      seen.push(...page.ids);
      path = page.next;
    }
    expect(seen).toEqual(all.ids);
    expect((await almanac.call('GET', '/v2/alm/stack?cursor=nonsense', { token })).status).toBe(400);
  });

  it('v2 events are available on v2 only, for v2 stacks only', async () => {
    const stack = await v2.settled(balanced);
    const events = await almanac.call<Json[]>('GET', `/v2/alm/stack/${stack}/events`, { token });
    expect(events.body[0]).toMatchObject({ event_id: 1, kind: 'request', status: 'CREATE_IN_PROGRESS' });
    const some = await almanac.call<Json[]>('GET', `/v2/alm/stack/${stack}/events?after=1&limit=2`, {
      token,
    });
    expect(some.body.map((event) => event.event_id)).toEqual([2, 3]);
    const user = await almanac.userToken();
    const fromTemplate = await almanac.applyTemplate();
    const crossed = [`/v3/alm/stack/${stack}/events`, `/v2/alm/stack/${fromTemplate}/events`];
    for (const path of crossed) expect((await almanac.call('GET', path, { token: user })).status).toBe(404);
  });

  it('v2 stacks can be listed and described with a user token', async () => {
    const stack = await v2.settled(balanced);
    expect(await v2.describe(stack, await almanac.userToken())).toMatchObject({ stack_id: stack });
  });
});
