import { expect, it } from 'vitest';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, forbidden } from './access-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const remove = (username: string, token?: string) =>
  caller.call('DELETE', `/v3/user/${username}`, token === undefined ? {} : { token });

it('deleting a user revokes its tokens immediately and detaches its roles', async () => {
  const { token, password } = await caller.makeUser('leaver');
  const other = String((await caller.signIn('leaver', password)).body.access_token);
  const role_id = await caller.makeRole();
  await caller.call('POST', '/v3/user/role', { json: { username: 'leaver', role_id } });
  expect(await caller.works(token)).toBe(true);

  const answer = await remove('leaver');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: 'success' });
  expect(await caller.works(token)).toBe(false);
  expect(await caller.works(other)).toBe(false);
  expect((await caller.signIn('leaver', password)).status).toBe(400);
  expect((await remove('leaver')).status).toBe(404);
  const users = (await caller.call<Json[]>('GET', '/v3/user')).body;
  expect(users.map(({ username }) => username)).not.toContain('leaver');
});

it('a new user with the name of a deleted one inherits nothing', async () => {
  const before = await caller.makeUser('again');
  await caller.call('POST', '/v3/user/role', { json: { username: 'again', role_id: 'admin' } });
  await remove('again');
  const after = await caller.makeUser('again');
  expect(after.userId).not.toBe(before.userId);
  expect((await caller.call('GET', '/v3/user/role', { token: after.token })).body).toEqual([]);
  expect(await caller.works(before.token)).toBe(false);
});

it('deleting a user keeps its stacks', async () => {
  await caller.makeUser('maker');
  const stackId = await almanac.applyTemplate();
  await almanac.service.database.query
    .updateTable('stacks')
    .set({ created_by: 'maker' })
    .where('id', '=', stackId)
    .execute();
  expect((await remove('maker')).status).toBe(200);
  expect(await almanac.waitFor(stackId, 'CREATE_COMPLETE')).toMatchObject({ stack_id: stackId });
});

it.each(['root', 'root@localhost'])('the master user cannot be deleted, named %s', async (username) => {
  const answer = await remove(username);
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: '2001', error: 'conflict' });
  expect((await caller.call('GET', '/v3/user')).status).toBe(200);
});

it('only the master can delete users, and only of its own account', async () => {
  const { token } = await caller.makeUser('stayer');
  const { token: own } = await caller.makeUser('meddler');
  expect((await remove('stayer', own)).body).toMatchObject(forbidden);
  expect((await remove('meddler', own)).status).toBe(403);
  expect((await remove('stayer', await almanac.otherAccountToken())).status).toBe(404);
  expect(await caller.works(token)).toBe(true);
});

it('deleting an unknown user returns 404, and deleting the path of the role route 405', async () => {
  expect((await remove('nobody')).body).toMatchObject({ code: '0404', error: 'not_found' });
  expect((await remove('role')).status).toBe(405);
});
