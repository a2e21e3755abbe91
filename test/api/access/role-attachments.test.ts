import { describe, expect, it } from 'vitest';
import { type Json, type Request, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, aTime, forbidden, scopeAllowing } from './access-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const attach = (username: string, role_id: string, request: Request = {}) =>
  caller.call('POST', '/v3/user/role', { form: { username, role_id }, ...request });
const reattach = (id: string, username: string, request: Request = {}) =>
  caller.call('PUT', `/v3/user/role/${id}`, { form: { username }, ...request });
const detach = (id: string, request: Request) => caller.call('DELETE', `/v3/user/role/${id}`, request);
const rolesOf = async (username: string) =>
  (await caller.call<Json[]>('GET', `/v3/user/${username}/role`)).body.map(({ role_id }) => role_id);

describe('attaching a role', () => {
  it('attaching a role adds it to the roles of the user', async () => {
    const { token, userId } = await caller.makeUser('ann');
    const scopes = [scopeAllowing('stack:describeStacks'), scopeAllowing('stack:describeStack')];
    const ids = await Promise.all(scopes.map((scope) => caller.makeRole('looking', scope)));
    const answer = await attach('ann', String(ids[0]));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', user_role_id: expect.stringMatching(/^mour-.+-tk$/) });
    await attach('ann', String(ids[1]));
    expect(new Set(await rolesOf('ann'))).toEqual(new Set(ids));

    const own = await caller.call<Json[]>('GET', '/v3/user/role', { token });
    expect(own.status).toBe(200);
    expect(own.body).toHaveLength(2);
    expect(own.body).toContainEqual({
      user_role_id: answer.body.user_role_id,
      role_id: ids[0],
      user: JSON.stringify({ user_id: userId, username: 'ann' }),
      scope: scopes[0],
      create_time: expect.stringMatching(aTime),
      update_time: expect.stringMatching(aTime),
    });
    expect(own.body.map(({ scope }) => String(scope)).toSorted()).toEqual(scopes.toSorted());
  });

  it('attaching a role twice returns the same attachment', async () => {
    await caller.makeUser('twice');
    const id = await caller.makeRole();
    const [one, ...more] = await Promise.all([1, 2, 3].map(() => attach('twice', id)));
    for (const answer of more) expect(answer.body).toEqual(one?.body);
    expect(await rolesOf('twice')).toEqual([id]);
  });

  it('attaching accepts JSON and the built-in role, which is described like any other', async () => {
    const { token } = await caller.makeUser('deputy');
    const json = { username: 'deputy', role_id: 'admin' };
    expect((await caller.call('POST', '/v3/user/role', { json })).status).toBe(200);
    expect(await rolesOf('deputy')).toEqual(['admin']);
    const [own] = (await caller.call<Json[]>('GET', '/v3/user/role', { token })).body;
    expect(own).toMatchObject({ role_id: 'admin', scope: expect.stringContaining('"*"') });
  });

  it('attaching rejects missing and unknown values', async () => {
    const id = await caller.makeRole();
    await caller.makeUser('plain');
    const missing = await caller.call('POST', '/v3/user/role', { json: {} });
    expect(missing.body.message).toBe('username not specified; role_id not specified');
    expect((await attach('nobody', id)).status).toBe(404);
    expect((await attach('plain', 'morole-unknown')).body).toMatchObject({ code: '0404' });
    expect(await rolesOf('plain')).toEqual([]);
  });
});

describe('replacing the roles of a user', () => {
  it('replacing roles makes the role the only one', async () => {
    await caller.makeUser('mover');
    const [a, b] = [await caller.makeRole('a'), await caller.makeRole('b')];
    const { user_role_id } = (await attach('mover', a)).body;
    const answer = await reattach(b, 'mover');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', role_id: b });
    expect(await rolesOf('mover')).toEqual([b]);
    expect((await reattach('admin', 'mover')).body).toEqual({ status: 'success', role_id: 'admin' });
    expect(await rolesOf('mover')).toEqual(['admin']);
    expect((await reattach(String(user_role_id), 'mover')).status).toBe(404);
  });

  it('replacing roles keeps an existing attachment, named by role id or attachment id', async () => {
    await caller.makeUser('keeper');
    const [a, b] = [await caller.makeRole('a'), await caller.makeRole('b')];
    const { user_role_id } = (await attach('keeper', a)).body;
    await attach('keeper', b);
    const answer = await reattach(String(user_role_id), 'keeper', { json: { username: 'keeper' } });
    expect(answer.body).toEqual({ status: 'success', role_id: a });
    expect(await rolesOf('keeper')).toEqual([a]);
    expect((await attach('keeper', a)).body.user_role_id).toBe(user_role_id);
  });

  it('replacing roles rejects missing and unknown values without any change', async () => {
    await caller.makeUser('still');
    const id = await caller.makeRole();
    await attach('still', id);
    expect((await reattach('morole-unknown', 'still')).status).toBe(404);
    expect((await reattach(id, 'nobody')).status).toBe(404);
    expect((await reattach(id, '')).status).toBe(400);
    expect(await rolesOf('still')).toEqual([id]);
  });
});

describe('detaching a role', () => {
  it.each<[string, string, (username: string) => [string, Request]]>([
    ['JSON', 'by-json', (username) => ['', { json: { username } }]],
    ['a form', 'by-form', (username) => ['', { form: { username } }]],
    ['the query', 'by-query', (username) => [`?username=${username}`, {}]],
  ])('detaching removes the role from the user named in %s', async (_, username, naming) => {
    await caller.makeUser(username);
    const [a, b] = [await caller.makeRole('a'), await caller.makeRole('b')];
    await attach(username, a);
    const { user_role_id } = (await attach(username, b)).body;
    const [query, request] = naming(username);
    const answer = await detach(a + query, request);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', role_id: a });
    expect(await rolesOf(username)).toEqual([b]);
    const byAttachment = await detach(String(user_role_id) + query, request);
    expect(byAttachment.body).toEqual({ status: 'success', role_id: b });
    expect(await rolesOf(username)).toEqual([]);
  });

  it('detaching also removes the built-in role', async () => {
    await caller.makeUser('demoted');
    await attach('demoted', 'admin');
    const answer = await detach('admin', { json: { username: 'demoted' } });
    expect(answer.body).toEqual({ status: 'success', role_id: 'admin' });
    expect(await rolesOf('demoted')).toEqual([]);
  });

  it('detaching a role that is not attached returns 404, and without a user 400', async () => {
    const [{ username }, other] = [await caller.makeUser('has'), await caller.makeUser('has-not')];
    const id = await caller.makeRole();
    const { user_role_id } = (await attach(username, id)).body;
    const json = { username: other.username };
    expect((await detach(id, { json })).body).toMatchObject({ code: '0404', error: 'not_found' });
    expect((await detach(String(user_role_id), { json })).status).toBe(404);
    expect((await detach('morole-unknown', { json })).status).toBe(404);
    expect((await detach(id, { json: { username: 'nobody' } })).status).toBe(404);
    expect((await detach(id, {})).body).toMatchObject({ code: '1000', message: 'username not specified' });
    expect(await rolesOf(username)).toEqual([id]);
  });
});

describe('access to role attachments', () => {
  it('only the master can manage attachments; other users see their own', async () => {
    const { token } = await caller.makeUser('climber');
    const id = await caller.makeRole();
    const answers = [
      await attach('climber', 'admin', { token }),
      await reattach(id, 'climber', { token }),
      await detach(id, { token, json: { username: 'climber' } }),
      await caller.call('GET', '/v3/user/climber/role', { token }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(forbidden);
    }
    expect((await caller.call('GET', '/v3/user/role', { token })).body).toEqual([]);
  });

  it('attachments of another account cannot be seen or changed', async () => {
    const token = await almanac.otherAccountToken();
    await caller.makeUser('ours');
    const id = await caller.makeRole();
    await attach('ours', id);
    expect((await attach('other-root', id, { token })).status).toBe(404);
    expect((await attach('ours', 'admin', { token })).status).toBe(404);
    expect((await reattach('admin', 'ours', { token })).status).toBe(404);
    expect((await detach(id, { token, json: { username: 'ours' } })).status).toBe(404);
    expect((await caller.call('GET', '/v3/user/ours/role', { token })).status).toBe(404);
    expect(await rolesOf('ours')).toEqual([id]);
  });
});
