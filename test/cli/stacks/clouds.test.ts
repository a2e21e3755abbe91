import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callHttp, type Json } from '../../http.ts';
import { type AlmUser, firstStack } from '../alm.ts';
import { header, PeopleWorld, rowOf, type SignedIn, tableTime } from '../people/world.ts';
import { PtySession } from '../pty.ts';

let world: PeopleWorld;
let root: AlmUser;
/** A user with the default role, which allows reading credentials but not stacks of others. */
let hal: SignedIn;
let v2Stack: string;
beforeAll(async () => {
  world = await PeopleWorld.start();
  root = world.root;
  hal = await world.newUser('hal');
  const configurations = { architecture: 'art_single', type: 't2.micro', image: 'library/nginx' };
  const json = { cred: 'SANDBOX', region: 'ap-northeast-1', configurations };
  const answer = await world.served.server.call('POST', '/v2/alm/stack', { json });
  v2Stack = String(answer.body.stack_id);
});
afterAll(() => world.close());

const credentials = (vendor = 'aws') => world.get<Json[]>(`/v3/credentials/${vendor}`);

describe('alm creds', () => {
  it.each(['v3', 'v2'])('adds, lists and deletes credentials in %s', async (version) => {
    const versioned = ['--apiver', version];
    const id = `AKIA${version}`;
    const add = ['creds', 'add', '--vendor', 'alicloud', '--key-id', id, '--account', 'shop', ...versioned];
    const added = await root.run([...add, '--secret-key', 'the-secret']);
    expect(added).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('could not be reached to check the key'),
    });
    expect(JSON.parse(added.stdout)).toMatchObject({ status: 'success' });
    expect(await credentials('alicloud')).toMatchObject([{ id, account: 'shop' }]);

    const listed = await root.run(['creds', 'list', '--vendor', 'AliCloud', ...versioned]);
    expect(header(listed.stdout)).toEqual(['VENDOR', 'ID', 'ACCOUNT', 'LAST MODIFIED']);
    expect(rowOf(listed.stdout, 'alicloud')).toEqual([
      'alicloud',
      id,
      'shop',
      expect.stringMatching(tableTime),
    ]);

    const remove = ['creds', 'delete', '--vendor', 'alicloud', '--key-id', id, ...versioned];
    expect(await root.json(remove)).toEqual({ status: 'success' });
    expect(await credentials('alicloud')).toEqual([]);
    expect((await root.run(remove)).code).toBe(6);
  });

  it('lists credentials in every format, of aws by default', async () => {
    const all = await credentials();
    expect(rowOf((await root.run(['creds', 'list'])).stdout, 'aws')?.[1]).toBe('SANDBOX');
    const as = async (format: string) => (await root.run(['creds', 'list', '--fmt', format])).stdout;
    expect(await as('json')).toBe(`${JSON.stringify(all, null, 2)}\n`);
    expect(await as('raw')).toBe(`${JSON.stringify(all)}\n`);
    expect(parse(await as('yaml'))).toEqual(all);
    expect((await root.run(['creds', 'list', '--vendor', 'nimbus'])).code).toBe(1);
  });

  it('prompts for the secret, and reports that the vendor accepts the key', async () => {
    const session = new PtySession(root, [
      'creds',
      'add',
      '--vendor',
      'sandbox',
      '--key-id',
      'mine',
      '--account',
      'my own',
    ]);
    await session.shows('Secret key for mine: ');
    session.type('typed-secret\r');
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('The vendor accepts the key.');
    expect(session.seen).not.toContain('typed-secret');
    expect(await credentials('sandbox')).toContainEqual(
      expect.objectContaining({ id: 'mine', account: 'my own' }),
    );
  });

  it('accepts a role ARN and rejects an invalid one', async () => {
    const add = [
      'creds',
      'add',
      '--key-id',
      'SANDBOX',
      '--secret-key',
      's',
      '--account',
      'shop',
      '--role-arn',
    ];
    expect((await root.run([...add, 'arn:aws:iam::123456789012:role/maker'])).code).toBe(0);
    const refused = await root.run([...add, 'maker']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('must be the ARN of a role');
  });

  it('cannot delete a credential in use, and requires permission to add or delete', async () => {
    const used = await root.run(['creds', 'delete', 'SANDBOX']);
    expect(used.code).toBe(7);
    expect(used.stderr).toContain(v2Stack);
    expect(await credentials()).toMatchObject([{ id: 'SANDBOX' }]);
    const added = await hal.run(['creds', 'add', '--key-id', 'x', '--secret-key', 'y', '--account', 'z']);
    expect(added).toMatchObject({ code: 5, stdout: '' });
    expect((await hal.run(['creds', 'delete', 'SANDBOX'])).code).toBe(5);
    expect((await hal.run(['creds', 'list'])).stdout).toContain('SANDBOX');
  });
});

describe('alm svrconf', () => {
  const config = () => world.get(`/v2/alm/serverconfig?stack_id=${v2Stack}`);
  const update = (...args: string[]) => root.run(['svrconf', 'update', '--id', v2Stack, ...args]);

  it('show prints the configuration and the time of the last change', async () => {
    const shown = await root.run(['svrconf', 'show', '--id', v2Stack]);
    const current = await config();
    expect(JSON.parse(shown.stdout)).toEqual(current);
    expect(current).toMatchObject({ image: 'library/nginx' });
    const changed = new Date(Number(current.updated) * 1000).toUTCString().replace('GMT', 'UTC');
    expect(shown.stderr).toBe(`[alm]: info: updated: ${changed}\n`);
    const yaml = await root.run(['svrconf', 'show', v2Stack, '--fmt', 'yaml']);
    expect(parse(yaml.stdout)).toEqual(current);
    expect((await root.run(['svrconf', 'show', '-i', 'mo-none'])).code).toBe(6);
    expect((await hal.run(['svrconf', 'show', '-i', v2Stack])).code).toBe(6);
    expect((await root.run(['svrconf', 'show', '-i', v2Stack, '--apiver', 'v3'])).code).toBe(2);
  });

  it('update sends one request per option, with values unchanged', async () => {
    const updated = await update(
      '--env',
      'URL:http://x.test:80/?a=b,LIST:a\\,b,EMPTY:',
      '--filepath',
      'https://git.test/site.git',
    );
    const env = { URL: 'http://x.test:80/?a=b', LIST: 'a,b', EMPTY: '' };
    const payloads = [
      // Values are often secrets.
      { stack_id: v2Stack, envvars: Object.keys(env).map((name) => ({ name, value: '***' })) },
      { stack_id: v2Stack, filepath: 'https://git.test/site.git' },
    ];
    expect(updated).toEqual({
      code: 0,
      stdout: '',
      stderr: payloads
        .map((each) => `[alm]: info: payload: ${JSON.stringify(each)}\n[alm]: info: success\n`)
        .join(''),
    });
    const { environmentVariables, code } = await config();
    expect(environmentVariables).toEqual(Object.entries(env).map(([name, value]) => ({ name, value })));
    expect(code).toBe('https://git.test/site.git');

    expect((await update('-e', 'ONLY:this')).code).toBe(0);
    expect((await config()).environmentVariables).toEqual([{ name: 'ONLY', value: 'this' }]);
    expect((await update('--env', 'null')).code).toBe(0);
    expect((await config()).environmentVariables).toEqual([]);
    expect((await config()).code).toBe('https://git.test/site.git');
  });

  it.each([
    [[], '--env <pairs> or --filepath <url> is required'],
    [['--env', 'MODE'], 'Invalid pair "MODE" in --env'],
    [['--env', 'A:1,:2'], 'Invalid pair ":2" in --env'],
    [['--env', 'A:1,A:2'], 'Duplicate variable A in --env'],
    [['--env', ','], '--env is empty'],
    [['--env', 'A:1', '--filepath'], '--filepath requires a value'],
  ])('update rejects %j', async (args, sentence) => {
    const before = await config();
    const updated = await update(...args);
    expect(updated.code).toBe(2);
    expect(updated.stderr).toContain(sentence);
    expect(await config()).toEqual(before);
  });

  it('update changes nothing when the service rejects it', async () => {
    const before = await config();
    expect((await update('--env', '1A:x')).code).toBe(1);
    expect((await hal.run(['svrconf', 'update', v2Stack, '--env', 'A:1'])).code).toBe(6);
    expect((await root.run(['svrconf', 'update', 'mo-none', '--env', 'A:1'])).code).toBe(6);
    expect(await config()).toEqual(before);
  });
});

describe('alm container', () => {
  it('lists and describes containers that agents report', async () => {
    const { server } = world.served;
    const stackId = await server.applyTemplate(JSON.parse(readFileSync(firstStack, 'utf8')) as object);
    const empty = await root.run(['container', 'list', '--id', stackId]);
    expect(header(empty.stdout)[0]).toBe('INSTANCE ID');
    const { auth_token: secret } = await world.get(`/v3/alm/stack/${stackId}`);
    const agent = { grant_type: 'client_credentials', client_id: stackId, client_secret: String(secret) };
    const token = String((await world.signIn(agent)).body.access_token);
    const report = { agent_id: 'agent-1', container_id: 'web-1', instance_id: 'i-1', status: 'running' };
    await callHttp('POST', `${server.url}/v3/alm/agent/container_status`, {
      token,
      json: { stack_id: stackId, ...report },
    });

    const row = ['web-1', 'i-1', 'running', expect.stringMatching(tableTime), 'agent-1', ''];
    const columns =
      'CONTAINER ID, INSTANCE ID, IMAGE, DIGEST, STATE, SINCE, STATUS, UPDATED, AGENT ID, REASON';
    const listed = await root.run(['container', 'list', stackId]);
    expect(header(listed.stdout)).toEqual(columns.split(', '));
    expect(rowOf(listed.stdout, 'web-1')).toEqual(row);
    const both = await root.run(['container', 'list', '--id', 'mo-other', '--instance-id', 'i-1']);
    expect(rowOf(both.stdout, 'web-1')).toEqual(row);
    expect(both.stderr).toContain('[alm]: warning: --id is ignored because --instance-id is given.');
    const known = await world.get('/v3/alm/container/web-1');
    expect(await root.json(['container', 'list', stackId, '--fmt', 'json'])).toEqual([known]);
    expect(await root.json(['container', 'describe', 'web-1'])).toEqual(known);
    expect(parse((await root.run(['container', 'describe', 'web-1', '-f', 'yaml'])).stdout)).toEqual(known);
  });

  it('list requires a stack or an instance, and unknown ids exit with 6', async () => {
    const missing = await root.run(['container', 'list']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('--id <stack id> or --instance-id <instance id> is required');
    expect((await root.run(['container', 'describe'])).code).toBe(2);
    expect((await root.run(['container', 'describe', 'nope'])).code).toBe(6);
    expect((await root.run(['container', 'list', 'mo-none'])).code).toBe(6);
    expect((await hal.run(['container', 'list', v2Stack])).code).toBe(6);
  });
});
