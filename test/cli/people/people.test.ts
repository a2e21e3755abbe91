import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../http.ts';
import type { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { header, PeopleWorld, payload, rowOf, tableTime } from './world.ts';

let world: PeopleWorld;
let root: AlmUser;
let stackId: string;
beforeAll(async () => {
  world = await PeopleWorld.start();
  root = world.root;
  stackId = await world.stack();
});
afterAll(() => world.close());

const usernames = async () => (await world.get<Json[]>('/v3/user')).map(({ username }) => username);

const scope = (...actions: string[]): string =>
  `{ "Version": "2017-05-05",\n  "Statement": [{ "Effect": "Allow", "Action": ${JSON.stringify(actions)}, "Resource": ["*"] }] }\n`;

describe('roles', () => {
  it('the sample role is accepted by the service unchanged', async () => {
    const sample = await root.run(['rbac', 'sample']);
    expect(JSON.parse(sample.stdout)).toMatchObject({
      Version: '2017-05-05',
      Statement: [
        { Effect: 'Deny', Action: ['stack:describeStacks'] },
        { Effect: 'Allow', Action: ['*'], Resource: ['*'] },
      ],
    });
    const saved = await root.run(['rbac', 'sample', '--out', 'sample.json']);
    expect(saved).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '[alm]: info: Output written to sample.json.\n',
    });
    const created = await root.run(['rbac', 'create', '--name', 'from sample', '--scope', 'sample.json']);
    expect(created).toMatchObject({ code: 0, stderr: payload });
    const { role_id: id } = JSON.parse(created.stdout) as { role_id: string };
    const role = (await world.get<Json[]>('/v3/role')).find(({ role_id }) => role_id === id);
    expect(role).toMatchObject({ name: 'from sample', scope: sample.stdout });
  });

  it('roles are listed as a table and in every other format', async () => {
    const listed = await root.run(['rbac', 'describe']);
    expect(header(listed.stdout)).toEqual([
      'ROLE ID',
      'USER ID',
      'NAME',
      'CREATE TIME',
      'UPDATE TIME',
      'SCOPE',
    ]);
    const cells = rowOf(listed.stdout, 'admin');
    expect(cells).toMatchObject({ 2: 'Management Role', 5: '{"version":"2017-05-05"...' });
    expect(cells?.slice(3, 5)).toEqual([expect.stringMatching(tableTime), expect.stringMatching(tableTime)]);
    expect(listed.stderr).toBe('[alm]: info: [200 OK]\n');
    const roles = await world.get('/v3/role');
    const as = async (format: string) => (await root.run(['rbac', 'describe', '--fmt', format])).stdout;
    expect(await as('json')).toBe(`${JSON.stringify(roles, null, 2)}\n`);
    expect(await as('min')).toBe(`${JSON.stringify(roles)}\n`);
    expect(JSON.parse(await as('raw'))).toEqual(roles);
    expect(parse(await as('yaml'))).toEqual(roles);
    expect(await root.json(['rbac', 'templates'])).toEqual(await world.get('/v3/role/templates'));
  });

  it('a role limits a user as soon as it is attached, changed and detached', async () => {
    const ann = await world.newUser('ann');
    const asAnn = async (method: string, path = `/v3/alm/stack/${stackId}`) =>
      (await world.served.server.call(method, path, { token: ann.token })).status;
    expect(await asAnn('GET')).toBe(404);
    const file = world.write('look.json', scope('stack:describe*'));
    const { role_id: id } = await root.json<{ role_id: string }>([
      'rbac',
      'create',
      '--name',
      'look',
      '--scope',
      file,
    ]);
    expect((await root.run(['rbac', 'attach', '--user', 'ann', '--role-id', id])).stderr).toBe(payload);
    expect([await asAnn('GET'), await asAnn('DELETE')]).toEqual([200, 403]);

    const mine = await ann.run(['rbac', 'mine']);
    expect(header(mine.stdout)).toEqual(['ROLE ID', 'USER ROLE ID', 'CREATE TIME', 'UPDATE TIME', 'SCOPE']);
    expect(rowOf(mine.stdout, id)?.[4]).toBe('{ "Version": "2017-05-0...');
    expect((await root.run(['rbac', 'describe', '--user', 'ann'])).stdout).toContain(id);

    const credentials = () => asAnn('GET', '/v3/credentials/aws');
    expect(await credentials()).toBe(403);
    await root.json(['rbac', 'update', '--role-id', id, '--name', 'all', '--allow-all=true']);
    expect(await credentials()).toBe(200);
    const update = ['rbac', 'update', '--role-id', id, '--name', 'look', '--scope', '-'];
    await root.json(update, { input: scope('stack:describe*') });
    await root.json(['rbac', 'attach', '--user', 'ann', '--role-id', 'admin']);
    expect(await credentials()).toBe(200);
    await root.json(['rbac', 'reattach', '--user', 'ann', '--role-id', id]);
    expect([await credentials(), await asAnn('GET')]).toEqual([403, 200]);
    expect(await root.json(['rbac', 'detach', '--user', 'ann', '--role-id', id])).toMatchObject({
      role_id: id,
    });
    expect(await asAnn('GET')).toBe(404);
    expect((await root.run(['rbac', 'detach', '--user', 'ann', '--role-id', id])).code).toBe(6);
    expect(await root.json(['rbac', 'delete', id])).toMatchObject({ status: 'success' });
    expect((await root.run(['rbac', 'delete', id])).code).toBe(6);

    expect(await ann.run(['rbac', 'describe'])).toMatchObject({ code: 5, stdout: '' });
    expect((await ann.run(['rbac', 'create', '--name', 'mine', '--allow-all'])).code).toBe(5);
  });

  it('an invalid scope is rejected with its position in the file', async () => {
    world.write('broken.json', '{\n  "Version": "2017-05-05",\n  "Statement": [ }\n');
    const broken = await root.run(['rbac', 'create', '--name', 'x', '--scope', 'broken.json']);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('broken.json:3:18: invalid JSON: expected a value or "]".');
    world.write(
      'wrong.json',
      '{"Version":"2017-05-05",\n"Statement":[{"Effect":"Perhaps","Action":["*"],"Resource":["*"]}]}',
    );
    const wrong = await root.run(['rbac', 'create', '--name', 'x', '--scope', 'wrong.json']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('wrong.json:2:15: Statement/0/Effect: ');
    world.write('odd.json', scope('stack:fly'));
    const odd = await root.run(['rbac', 'create', '--name', 'odd', '--scope', 'odd.json']);
    expect(odd.code).toBe(0);
    expect(odd.stderr).toContain('[alm]: warning: Statement/0/Action/0: unknown action "stack:fly"');
    expect((await root.run(['rbac', 'delete', 'admin'])).code).toBe(7);
  });

  it.each([
    [['--name', 'x'], '--scope <file> or --allow-all is required'],
    [['--name', 'x', '--allow-all=false'], '--scope <file> or --allow-all is required'],
    [['--name', 'x', '--scope', 'nowhere.json'], 'file nowhere.json not found'],
    [['--name', 'x', '--scope', 's.json', '--password', 'p'], '--password is valid only with --type user'],
    [['--name', 'x', '--type', 'user', '--scope', 's.json'], '--scope is valid only with --type role'],
    [['--name', 'x', '--type', 'user', '--allow-all'], '--allow-all is valid only with --type role'],
    [['--name', 'x', '--type', 'users'], 'Did you mean: user'],
    [['--allow-all'], '--name is required'],
  ])('rejects invalid role flags %j without a request', async (args, message) => {
    const before = await world.get('/v3/role');
    const ended = await root.run(['rbac', 'create', ...args]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(await world.get('/v3/role')).toEqual(before);
  });
});

describe('users', () => {
  it('users are created, listed, described and deleted, and can sign in until then', async () => {
    const created = await root.run([
      'user',
      'create',
      'ben',
      '--password',
      'of-ben-himself',
      '--email',
      'b@x.test',
    ]);
    expect(created).toMatchObject({ code: 0, stderr: payload });
    const as = { username: 'ben', password: 'of-ben-himself' };
    expect((await world.signIn(as)).status).toBe(200);
    const listed = await root.run(['user', 'list']);
    expect(header(listed.stdout)).toEqual([
      'USER NAME',
      'USER ID',
      'EMAIL',
      'MASTER',
      'CREATED',
      'LAST LOGIN',
    ]);
    expect(rowOf(listed.stdout, 'ben')).toMatchObject({
      2: 'b@x.test',
      3: 'false',
      5: expect.stringMatching(tableTime),
    });
    expect(await root.json(['user', 'list', '--fmt', 'json'])).toEqual(await world.get('/v3/user'));
    const described = await world.get('/v3/user?username=ben');
    expect(await root.json(['user', 'describe', 'ben'])).toEqual(described);
    expect(parse((await root.run(['user', 'describe', 'ben', '-f', 'yaml'])).stdout)).toEqual(described);
    expect((await root.run(['user', 'create', 'ben', '--password', 'walnut copper one'])).code).toBe(7);
    expect(await root.json(['user', 'delete', 'ben'])).toEqual({ status: 'success' });
    expect((await world.signIn(as)).status).toBe(400);
    expect((await root.run(['user', 'delete', 'ben'])).code).toBe(6);
    expect((await root.run(['user', 'describe', 'ben'])).code).toBe(6);
    expect((await root.run(['user', 'delete', 'root'])).code).toBe(7);
  });

  it('a new password is prompted for twice without echo', async () => {
    const create = (name: string) =>
      new PtySession(root, ['rbac', 'create', '--type', 'user', '--name', name]);
    const typed = async (session: PtySession, again: string) => {
      await session.shows(/Password for \w+: /);
      session.type('typed-walnut-ferry\r');
      await session.shows(/Password for \w+ again: /);
      session.type(`${again}\r`);
      const code = await session.ended();
      return { code, seen: session.seen };
    };
    const matching = await typed(create('cleo'), 'typed-walnut-ferry');
    expect(matching.code).toBe(0);
    expect(matching.seen).not.toContain('typed-walnut-ferry');
    expect((await world.signIn({ username: 'cleo', password: 'typed-walnut-ferry' })).status).toBe(200);
    const differing = await typed(create('dora'), 'typed-walnut-other');
    expect(differing).toMatchObject({
      code: 2,
      seen: expect.stringContaining('The passwords do not match.'),
    });
    expect(await usernames()).not.toContain('dora');
    const short = await root.run(['user', 'create', 'dora', '--password', 'short']);
    expect(short.code).toBe(1);
  });

  it('users change their own password with the current one, and only the master changes others', async () => {
    const eve = await world.newUser('eve');
    expect((await eve.run(['user', 'list'])).code).toBe(5);
    expect((await eve.run(['user', 'password', 'root', '--password', 'mine-from-now'])).code).toBe(5);
    const change = ['user', 'password', 'eve', '--password'];
    expect((await eve.run([...change, 'second walnut ferry', '--current-password', 'wrong'])).code).toBe(1);
    const session = new PtySession(eve, [...change, 'second walnut ferry']);
    await session.shows('Current password: ');
    session.type(`${world.passwordOf('eve')}\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain(
      'All tokens of eve are revoked, including yours. Sign in again: alm login',
    );
    expect((await eve.run(['rbac', 'mine'])).code).toBe(4);
    expect((await world.signIn({ username: 'eve', password: world.passwordOf('eve') })).status).toBe(400);

    const again = await root.run([...change, 'third walnut ferry']);
    expect(again).toMatchObject({
      code: 0,
      stderr: `${payload}[alm]: info: All tokens of eve are revoked.\n`,
    });
    expect((await world.signIn({ username: 'eve', password: 'third walnut ferry' })).status).toBe(200);
  });
});
