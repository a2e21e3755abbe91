import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../../http.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { header, PeopleWorld, payload, rowOf, tableTime } from './world.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await PeopleWorld.start();
});
afterAll(() => world.close());

const once = '[alm]: info: The secret is shown only once. Store it in a safe place.\n';

it('a token is created, used without a login, listed and revoked', async () => {
  const { root } = world;
  const ann = await world.newUser('ann');
  const scope =
    '{"Version":"2017-05-05","Statement":[{"Effect":"Allow","Action":["stack:describe*"],"Resource":["*"]}]}';
  const create = ['rbac', 'create', '--name', 'look', '--scope', world.write('look.json', scope)];
  const { role_id: role } = await root.json<{ role_id: string }>(create);
  await root.json(['rbac', 'attach', '--user', 'ann', '--role-id', role]);

  const made = await ann.run([
    'token',
    'create',
    'deploy',
    '--role',
    role,
    '--days',
    '7',
    '--current-password',
    world.passwordOf('ann'),
  ]);
  expect(made).toMatchObject({ code: 0, stderr: payload + once });
  const { token, token_id: id } = JSON.parse(made.stdout) as { token: string; token_id: string };
  const program = new AlmUser({ ALM_URL: world.served.server.url, ALM_TOKEN: token });
  try {
    expect((await program.run(['stack', 'list'])).code).toBe(0);
    expect((await program.run(['creds', 'list'])).code).toBe(5);
    const listed = await ann.run(['token', 'list']);
    expect(header(listed.stdout)).toEqual(['TOKEN ID', 'NAME', 'ROLES', 'CREATED', 'EXPIRES', 'LAST USED']);
    expect(rowOf(listed.stdout, id)).toMatchObject({
      1: 'deploy',
      2: role,
      5: expect.stringMatching(tableTime),
    });
    expect(listed.stdout).not.toContain(token);
    expect(await root.json<Json[]>(['token', 'list', '--user', 'ann', '--fmt', 'json'])).toMatchObject([
      { token_id: id },
    ]);
    expect(await root.json(['token', 'revoke', id])).toEqual({ status: 'success', token_id: id });
    expect((await program.run(['stack', 'list'])).code).toBe(4);
  } finally {
    program.close();
  }
});

it('the password is prompted for without echo', async () => {
  const ben = await world.newUser('ben');
  const scope = '{"Version":"2017-05-05","Statement":[{"Effect":"Allow","Action":["*"],"Resource":["*"]}]}';
  const file = world.write('all.json', scope);
  const session = new PtySession(ben, ['token', 'create', 'x', '--scope', `${world.root.home}/${file}`]);
  await session.shows('Your password: ');
  session.type(`${world.passwordOf('ben')}\r`);
  expect(await session.ended()).toBe(0);
  expect(session.seen).toContain('almp_');
  expect(session.seen).not.toContain(world.passwordOf('ben'));
});

it.each([
  [['x'], 'either --role or --scope'],
  [['x', '--role', 'r', '--scope', 's.json'], 'either --role or --scope'],
  [['x', '--role', 'r', '--days', '0'], '--days'],
  [['--role', 'r'], '--name is required'],
])('rejects invalid token flags %j without a request', async (args, message) => {
  const ended = await world.root.run(['token', 'create', ...args]);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(message);
});
