import { describe, expect, it } from 'vitest';
import { type Json, type Request, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, aTime, forbidden, scopeAllowing } from './access-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);

const scope = scopeAllowing('stack:describeStacks');
const create = (request: Request) => caller.call('POST', '/v3/role', request);
const update = (id: string, request: Request) => caller.call('PUT', `/v3/role/${id}`, request);
const remove = (id: string, request: Request = {}) => caller.call('DELETE', `/v3/role/${id}`, request);
const listed = async (token?: string) =>
  (await caller.call<Json[]>('GET', '/v3/role', token === undefined ? {} : { token })).body;
const find = async (id: unknown) => (await listed()).find((role) => role.role_id === id);

describe('creating a role', () => {
  it('creating a role keeps the scope as submitted', async () => {
    const written = ` ${scope.replace('"Version"', '\n"version"')}\n`;
    const answer = await create({ form: { name: 'looking', scope: written } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', role_id: expect.stringMatching(/^morole-.+-tk$/) });
    expect(await find(answer.body.role_id)).toEqual({
      role_id: answer.body.role_id,
      user_id: (await caller.call('GET', '/v3/user?username=root')).body.user_id,
      name: 'looking',
      scope: written,
      create_time: expect.stringMatching(aTime),
      update_time: expect.stringMatching(aTime),
    });
  });

  it('creating a role accepts JSON, with the scope as a string or an object', async () => {
    for (const sent of [scope, JSON.parse(scope) as unknown]) {
      const answer = await create({ json: { name: 'json', scope: sent } });
      expect(answer.status).toBe(200);
      expect(await find(answer.body.role_id)).toMatchObject({ scope });
    }
  });

  it('creating a role returns warnings for valid but unintended statements', async () => {
    const answer = await create({ json: { name: 'typo', scope: scopeAllowing('stack:describeStackz') } });
    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toEqual([expect.stringContaining('Statement/0/Action/0')]);
    expect(await find(answer.body.role_id)).toBeDefined();
  });

  it.each<[string, object, string]>([
    ['no name', { scope }, 'name'],
    ['an empty name', { name: '', scope }, 'name'],
    ['a long name', { name: 'x'.repeat(129), scope }, 'name'],
    ['no scope', { name: 'x' }, 'scope'],
    ['a scope that is not JSON', { name: 'x', scope: '{' }, 'scope'],
    ['a scope without statements', { name: 'x', scope: '{"Version":"2017-05-05"}' }, 'scope/Statement'],
    ['an unknown effect', { name: 'x', scope: scope.replace('Allow', 'Maybe') }, 'scope/Statement/0/Effect'],
    ['a huge scope', { name: 'x', scope: scope + ' '.repeat(65_536) }, 'scope'],
  ])('creating a role rejects %s with the location', async (_, form, path) => {
    const before = await listed();
    const answer = await create({ json: form });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: '1000', problems: [{ path }] });
    expect(answer.body.message).toContain(path);
    expect(await listed()).toEqual(before);
  });
});

describe('updating a role', () => {
  it('updating a role replaces name and scope', async () => {
    const id = await caller.makeRole('before');
    await almanac.service.database.query.updateTable('roles').set({ created_at: 1, updated_at: 1 }).execute();
    const answer = await update(id, { form: { name: 'after', scope: scopeAllowing('*') } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', role_id: id });
    expect(await find(id)).toMatchObject({
      name: 'after',
      scope: scopeAllowing('*'),
      create_time: '1970-01-01T00:00:00+00:00',
      update_time: expect.stringMatching(aTime),
    });
  });

  it('updating a role requires a name, a valid scope and an existing role', async () => {
    const id = await caller.makeRole('kept');
    expect((await update(id, { form: { name: 'after' } })).body.message).toBe('scope not specified');
    expect((await update(id, { form: { scope } })).body.message).toBe('name not specified');
    expect((await update(id, { form: { name: 'after', scope: '[]' } })).status).toBe(400);
    expect(await find(id)).toMatchObject({ name: 'kept' });
    expect((await update('morole-unknown', { form: { name: 'x', scope } })).status).toBe(404);
  });
});

describe('deleting a role', () => {
  it('deleting a role detaches it from all users', async () => {
    const id = await caller.makeRole();
    const { token } = await caller.makeUser('holder');
    await caller.call('POST', '/v3/user/role', { form: { username: 'holder', role_id: id } });
    const answer = await remove(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', role_id: id });
    expect(await find(id)).toBeUndefined();
    expect((await caller.call('GET', '/v3/user/role', { token })).body).toEqual([]);
    expect((await remove(id)).body).toMatchObject({ code: '0404', error: 'not_found' });
  });
});

describe('the built-in role', () => {
  it('the built-in role is listed first in every account and allows everything', async () => {
    for (const token of [await almanac.userToken(), await almanac.otherAccountToken()]) {
      const [admin] = await listed(token);
      expect(admin).toMatchObject({
        role_id: 'admin',
        name: 'Management Role',
        create_time: expect.stringMatching(aTime),
      });
      expect(JSON.parse(String(admin?.scope))).toMatchObject({
        Statement: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
      });
    }
  });

  it('the built-in role cannot be changed', async () => {
    await caller.makeUser('deputy');
    await caller.call('POST', '/v3/user/role', { json: { username: 'deputy', role_id: 'admin' } });
    for (const answer of [await update('admin', { json: { name: 'x', scope } }), await remove('admin')]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: '2001', error: 'conflict' });
    }
    expect((await listed()).filter(({ name }) => name === 'Management Role')).toHaveLength(1);
  });
});

describe('role templates', () => {
  it('role templates are scopes that can be used to create a role', async () => {
    const answer = await caller.call<Json[]>('GET', '/v3/role/templates');
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ id }) => id)).toEqual(['admin', 'user', 'readonly']);
    for (const template of answer.body) {
      const made = await create({ json: { name: template.name, scope: template.scope } });
      expect(made.body).toEqual({ status: 'success', role_id: expect.any(String) });
    }
  });
});

describe('access to roles', () => {
  it('only the master can manage roles', async () => {
    const { token } = await caller.makeUser('ann');
    const id = await caller.makeRole();
    const answers = [
      await create({ token, form: { name: 'x', scope } }),
      await update(id, { token, form: { name: 'x', scope } }),
      await remove(id, { token }),
      await caller.call('GET', '/v3/role', { token }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(forbidden);
    }
    expect(await find(id)).toMatchObject({ name: 'a role' });
    expect((await caller.call('GET', '/v3/role/templates', { token })).status).toBe(200);
  });

  it('roles of another account cannot be seen or changed', async () => {
    const token = await almanac.otherAccountToken();
    const id = await caller.makeRole('ours');
    expect((await listed(token)).map(({ role_id }) => role_id)).toEqual(['admin']);
    expect((await update(id, { token, form: { name: 'theirs', scope } })).status).toBe(404);
    expect((await remove(id, { token })).status).toBe(404);
    expect(await find(id)).toMatchObject({ name: 'ours' });
  });
});
