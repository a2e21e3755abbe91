import { describe, expect, it } from 'vitest';
import { hashChosen } from '../../../src/operations/access/secret-hash.ts';
import { type Json, recordLog, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, aTime, forbidden } from './access-caller.ts';

const { log, lines: logged } = recordLog();
const almanac = useServedAlmanac({ log });
const caller = new AccessCaller(almanac);

const create = (json: object) => caller.call('POST', '/v3/user', { json });
const listed = async (): Promise<Json[]> => (await caller.call<Json[]>('GET', '/v3/user')).body;
const find = async (username: string) => (await listed()).find((user) => user.username === username);

describe('creating a user', () => {
  it('a created user can sign in, and its password is never returned or logged', async () => {
    const answer = await create({
      username: 'ann',
      password: 'hush-hush walnut 1',
      email: 'ann@example.com',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', user_id: expect.stringMatching(/^[0-9a-f]{13}$/) });
    const signedIn = await caller.signIn('ann', 'hush-hush walnut 1');
    const own = await caller.call('GET', '/v3/user/role', { token: String(signedIn.body.access_token) });
    expect(own.body).toEqual([]);
    const rows = await almanac.service.database.query.selectFrom('users').selectAll().execute();
    expect(JSON.stringify(rows) + logged.join('') + answer.text).not.toContain('hush-hush walnut 1');
  });

  it('creating a user accepts a form and all allowed characters in names', async () => {
    const username = `A.b_c-9@${'x'.repeat(56)}`;
    const answer = await caller.call('POST', '/v3/user', { form: { username, password: 'copper ferry 8' } });
    expect(answer.status).toBe(200);
    expect((await caller.call('GET', `/v3/user?username=${encodeURIComponent(username)}`)).status).toBe(200);
  });

  const password = 'long enough';
  it.each<[string, object, string]>([
    ['no username', { password }, 'username not specified'],
    ['no password', { username: 'x' }, 'password not specified'],
    ['an empty username', { username: '', password }, 'username must not be empty'],
    ['a long username', { username: 'x'.repeat(65), password }, 'username must have at most 64 characters'],
    ['a space', { username: 'a b', password }, 'username must be 1 to 64 letters'],
    ['a slash', { username: 'a/b', password }, 'username must be 1 to 64 letters'],
    ['non-ASCII letters', { username: 'ànn', password }, 'username must be 1 to 64 letters'],
    ['dots only', { username: '..', password }, 'username must be 1 to 64 letters'],
    ['root', { username: 'root', password }, 'username must not be root'],
    ['role', { username: 'Role', password }, 'username must not be Role'],
    ['a short password', { username: 'x', password: '1234567' }, 'password must have at least 8 characters'],
    [
      'a huge password',
      { username: 'x', password: 'x'.repeat(1025) },
      'password must have at most 1024 characters',
    ],
    ['an invalid email address', { username: 'x', password, email: 'x' }, 'email has an invalid format'],
  ])('creating a user rejects %s', async (_, json, message) => {
    const answer = await create(json);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', error: 'invalid_request' });
    expect(answer.body.message).toContain(message);
    expect(await find('x')).toBeUndefined();
  });

  it.each(['twice', 'root@localhost'])(
    'creating a user rejects a name that is already in use: %s',
    async (username) => {
      await create({ username: 'twice', password });
      const answer = await create({ username, password: 'another password' });
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: '1005', error: 'duplicate' });
    },
  );

  it('a user cannot have the name of an API client, whose stacks it would own', async () => {
    const { query } = almanac.service.database;
    const row = await query.selectFrom('api_clients').selectAll().executeTakeFirstOrThrow();
    await query
      .insertInto('api_clients')
      .values({ ...row, id: 'build-server' })
      .execute();
    for (const username of ['lg-first-client', 'lg-other', 'mo-stack', 'build-server']) {
      expect((await create({ username, password })).status).not.toBe(200);
      expect(await find(username)).toBeUndefined();
    }
  });

  it('creating the same user concurrently creates only one', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ username: 'at-once', password })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
  });

  it('only the master can create users', async () => {
    const { token } = await caller.makeUser('ambitious');
    const answer = await caller.call('POST', '/v3/user', { token, json: { username: 'friend', password } });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject(forbidden);
    expect(await find('friend')).toBeUndefined();
  });
});

describe('listing users', () => {
  it('listing users returns the master first, and the last login of each', async () => {
    await create({ username: 'never-here', password: 'long enough', email: 'n@example.com' });
    expect(await find('never-here')).toEqual({
      user_id: expect.any(String),
      username: 'never-here',
      email: 'n@example.com',
      master: false,
      create_time: expect.stringMatching(aTime),
      last_login: '',
    });
    expect((await listed())[0]).toMatchObject({
      username: 'root',
      master: true,
      last_login: expect.stringMatching(aTime),
    });
    await caller.signIn('never-here', 'wrong password');
    expect(await find('never-here')).toMatchObject({ last_login: '' });
    await caller.signIn('never-here', 'long enough');
    expect(await find('never-here')).toMatchObject({ last_login: expect.stringMatching(aTime) });
  });

  it('only the master can list users', async () => {
    const { token } = await caller.makeUser('curious');
    const answer = await caller.call('GET', '/v3/user', { token });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject(forbidden);
  });
});

describe('describing a user', () => {
  const describeUser = (username: string, token?: string) =>
    caller.call('GET', `/v3/user?username=${username}`, token === undefined ? {} : { token });

  it('a user is described in the format existing clients decode, to itself and to the master', async () => {
    const { token, userId } = await caller.makeUser('dora');
    const expected = { user_id: userId, username: 'dora', email: '', api_token: '' };
    expect((await describeUser('dora', token)).body).toEqual(expected);
    expect((await describeUser('dora')).body).toEqual(expected);
    expect((await describeUser('root')).body).toMatchObject({ username: 'root' });
  });

  it('other users learn nothing, not even whether a user exists', async () => {
    const { token } = await caller.makeUser('nosy');
    for (const username of ['root', 'ann', 'nobody']) {
      const answer = await describeUser(username, token);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(forbidden);
    }
    expect((await describeUser('nobody')).status).toBe(404);
  });

  it('users of another account are not found', async () => {
    await caller.makeUser('ours');
    const token = await almanac.otherAccountToken();
    expect((await describeUser('ours', token)).status).toBe(404);
    const others = (await caller.call<Json[]>('GET', '/v3/user', { token })).body;
    expect(others.map(({ username }) => username)).toEqual(['other-root']);
    expect(await find('other-root')).toBeUndefined();
    const same = await caller.call('POST', '/v3/user', {
      token,
      json: { username: 'ours', password: 'copper ferry 8' },
    });
    expect(same.status).toBe(200);
  });
});

it('a password that is easy to guess is refused at creation and at change, and the old one stays', async () => {
  const weak = await create({ username: 'weakling', password: 'weakling1' });
  expect(weak.status).toBe(400);
  expect(weak.body).toMatchObject({
    message: expect.stringContaining('password is too easy to guess: it contains the user name'),
    problems: [{ path: 'password' }],
  });
  const user = await caller.makeUser('careful');
  const json = { password: 'Password123!', current_password: user.password };
  expect((await caller.call('PUT', '/v3/user/careful/password', { token: user.token, json })).status).toBe(
    400,
  );
  expect((await caller.signIn('careful', user.password)).status).toBe(200);
});

it('a password that was stored before the rules existed stays valid', async () => {
  const { userId } = await caller.makeUser('early');
  await almanac.service.database.query
    .updateTable('users')
    .set({ password_hash: await hashChosen(almanac.service.hashing.of('test'), '12345678') })
    .where('id', '=', userId)
    .execute();
  expect((await caller.signIn('early', '12345678')).status).toBe(200);
});

describe('describing a user on v2', () => {
  it('answers like v3, to the user itself and to the master only', async () => {
    const { token } = await caller.makeUser('vera');
    for (const path of ['/v3/user?username=vera', '/v2/user?username=vera']) {
      const answer = await caller.call('GET', path, { token });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        user_id: expect.stringMatching(/^[0-9a-f]{13}$/),
        username: 'vera',
        email: expect.any(String),
        api_token: '',
      });
      expect((await caller.call('GET', path)).body).toEqual(answer.body);
    }
    expect((await caller.call('GET', '/v2/user?username=root', { token })).status).toBe(403);
    expect((await caller.call('GET', '/v2/user')).status).toBe(400);
    const token2 = await almanac.otherAccountToken();
    expect((await almanac.call('GET', '/v2/user?username=vera', { token: token2 })).status).toBe(404);
  });
});
