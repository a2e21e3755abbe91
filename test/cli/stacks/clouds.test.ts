import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callHttp, type Json } from '../../http.ts';
import { type AlmUser, firstStack } from '../alm.ts';
import { header, PeopleWorld, payload, rowOf, type SignedIn, tableTime } from '../people/world.ts';
import { PtySession } from '../pty.ts';

let world: PeopleWorld;
let root: AlmUser;
/** A user nobody gave a role: the default one lets them see credentials, and no stacks of others. */
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

describe('credentials', () => {
  it.each(['v3', 'v2'])('are added, listed and deleted in %s', async (version) => {
    const versioned = ['--apiver', version];
    const id = `AKIA${version}`;
    const add = ['creds', 'add', '--vendor', 'alicloud', '--key-id', id, '--account', 'shop', ...versioned];
    const added = await root.run([...add, '--secret-key', 'the-secret']);
    expect(added).toMatchObject({ code: 0, stderr: payload });
    expect(JSON.parse(added.stdout)).toEqual({ status: 'success' });
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

  it('are listed in every form, those of aws unless another cloud is named', async () => {
    const all = await credentials();
    expect(rowOf((await root.run(['creds', 'list'])).stdout, 'aws')?.[1]).toBe('SANDBOX');
    const as = async (format: string) => (await root.run(['creds', 'list', '--fmt', format])).stdout;
    expect(await as('json')).toBe(`${JSON.stringify(all, null, 2)}\n`);
    expect(await as('raw')).toBe(`${JSON.stringify(all)}\n`);
    expect(parse(await as('yaml'))).toEqual(all);
    expect((await root.run(['creds', 'list', '--vendor', 'nimbus'])).code).toBe(1);
  });

  it('are said to be accepted where the cloud can be asked, and the secret is asked for', async () => {
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
    await session.shows('Secret key of mine: ');
    session.type('typed-secret\r');
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('The vendor accepts the key.');
    expect(session.seen).not.toContain('typed-secret');
    expect(await credentials('sandbox')).toContainEqual(
      expect.objectContaining({ id: 'mine', account: 'my own' }),
    );
  });

  it('keep the role that makes the stacks, and refuse what is none', async () => {
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

  it('are not deleted while a stack uses them, and neither made nor deleted by who must not', async () => {
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

describe('what servers run', () => {
  const config = () => world.get(`/v2/alm/serverconfig?stack_id=${v2Stack}`);
  const update = (...args: string[]) => root.run(['svrconf', 'update', '--id', v2Stack, ...args]);

  it('is shown, and when it was changed', async () => {
    const shown = await root.run(['svrconf', 'show', '--id', v2Stack]);
    const known = await config();
    expect(JSON.parse(shown.stdout)).toEqual(known);
    expect(known).toMatchObject({ image: 'library/nginx' });
    const changed = new Date(Number(known.updated) * 1000).toUTCString().replace('GMT', 'UTC');
    expect(shown.stderr).toBe(`[alm]: info: updated: ${changed}\n`);
    const yaml = await root.run(['svrconf', 'show', v2Stack, '--fmt', 'yaml']);
    expect(parse(yaml.stdout)).toEqual(known);
    expect((await root.run(['svrconf', 'show', '-i', 'mo-none'])).code).toBe(6);
    expect((await hal.run(['svrconf', 'show', '-i', v2Stack])).code).toBe(6);
    expect((await root.run(['svrconf', 'show', '-i', v2Stack, '--apiver', 'v3'])).code).toBe(2);
  });

  it('changes, a request for each option, with values as they were written', async () => {
    const ended = await update(
      '--env',
      'URL:http://x.test:80/?a=b,LIST:a\\,b,EMPTY:',
      '--filepath',
      'https://git.test/site.git',
    );
    const env = { URL: 'http://x.test:80/?a=b', LIST: 'a,b', EMPTY: '' };
    const payloads = [
      // Values are often secrets.
      { stack_id: v2Stack, envvars: Object.fromEntries(Object.keys(env).map((name) => [name, '***'])) },
      { stack_id: v2Stack, filepath: 'https://git.test/site.git' },
    ];
    expect(ended).toEqual({
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
    [[], '--env <pairs> or --filepath <url> is needed'],
    [['--env', 'MODE'], '"MODE" in --env is not a KEY:value pair'],
    [['--env', 'A:1,:2'], '":2" in --env is not a KEY:value pair'],
    [['--env', 'A:1,A:2'], 'A is in --env twice'],
    [['--env', ','], '--env says nothing'],
    [['--env', 'A:1', '--filepath'], '--filepath requires a value'],
  ])('does not change by %j', async (args, sentence) => {
    const before = await config();
    const ended = await update(...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(sentence);
    expect(await config()).toEqual(before);
  });

  it('does not change where it is refused', async () => {
    const before = await config();
    expect((await update('--env', '1A:x')).code).toBe(1);
    expect((await hal.run(['svrconf', 'update', v2Stack, '--env', 'A:1'])).code).toBe(6);
    expect((await root.run(['svrconf', 'update', 'mo-none', '--env', 'A:1'])).code).toBe(6);
    expect(await config()).toEqual(before);
  });
});

describe('containers', () => {
  it('are listed and described as the agents report them', async () => {
    const { server } = world.served;
    const stackId = await server.applyTemplate(JSON.parse(readFileSync(firstStack, 'utf8')) as object);
    const empty = await root.run(['container', 'list', '--id', stackId]);
    expect(empty.stdout).toBe('CONTAINER ID     INSTANCE ID     STATUS     UPDATED     AGENT ID\n');
    const { auth_token: secret } = await world.get(`/v3/alm/stack/${stackId}`);
    const agent = { grant_type: 'client_credentials', client_id: stackId, client_secret: String(secret) };
    const token = String((await world.signIn(agent)).body.access_token);
    const report = { agent_id: 'agent-1', container_id: 'web-1', instance_id: 'i-1', status: 'running' };
    await callHttp('POST', `${server.url}/v3/alm/agent/container_status`, {
      token,
      json: { stack_id: stackId, ...report },
    });

    const row = ['web-1', 'i-1', 'running', expect.stringMatching(tableTime), 'agent-1'];
    const listed = await root.run(['container', 'list', stackId]);
    expect(header(listed.stdout)).toEqual(['CONTAINER ID', 'INSTANCE ID', 'STATUS', 'UPDATED', 'AGENT ID']);
    expect(rowOf(listed.stdout, 'web-1')).toEqual(row);
    const both = await root.run(['container', 'list', '--id', 'mo-other', '--instance-id', 'i-1']);
    expect(rowOf(both.stdout, 'web-1')).toEqual(row);
    expect(both.stderr).toContain('[alm]: warning: With --instance-id, --id counts for nothing');
    const known = await world.get('/v3/alm/container/web-1');
    expect(await root.json(['container', 'list', stackId, '--fmt', 'json'])).toEqual([known]);
    expect(await root.json(['container', 'describe', 'web-1'])).toEqual(known);
    expect(parse((await root.run(['container', 'describe', 'web-1', '-f', 'yaml'])).stdout)).toEqual(known);
  });

  it('need somewhere to be looked for, and must be there', async () => {
    const nowhere = await root.run(['container', 'list']);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('--id <stack id> or --instance-id <instance id> is needed');
    expect((await root.run(['container', 'describe'])).code).toBe(2);
    expect((await root.run(['container', 'describe', 'nope'])).code).toBe(6);
    expect((await root.run(['container', 'list', 'mo-none'])).code).toBe(6);
    expect((await hal.run(['container', 'list', v2Stack])).code).toBe(6);
  });
});
