import { describe, expect, it, vi } from 'vitest';
import { AccessCaller, aTime, forbidden, scopeAllowing } from '../access/access-caller.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from './personal-token-caller.ts';

const almanac = useServedAlmanac({ environment: { ALM_PERSONAL_TOKEN_DAYS: '100' } });
const caller = new AccessCaller(almanac);
const tokens = new PersonalTokens(caller);
const readOnly = scopeAllowing('stack:describe*');

describe('creating a personal access token', () => {
  it('a token is shown once, and the list shows all but its value', async () => {
    const ann = await tokens.userWithRole('ann', readOnly);
    const created = await tokens.create(ann, { name: 'deploy', roles: [ann.roleId] });
    expect(created.status).toBe(200);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect(created.body).toEqual({
      status: 'success',
      token_id: expect.stringMatching(/^\w{12}$/),
      token: expect.stringMatching(/^almp_[0-9A-Za-z]{42}$/),
      expires: expect.stringMatching(aTime),
    });
    const listed = await caller.call<Json[]>('GET', '/v3/personal_token', { token: ann.token });
    expect(listed.body).toEqual([
      {
        token_id: created.body.token_id,
        name: 'deploy',
        roles: [ann.roleId],
        scope: '',
        created: expect.stringMatching(aTime),
        expires: created.body.expires,
        last_used: '',
      },
    ]);
    expect(listed.text).not.toContain(String(created.body.token));
    const days = (Date.parse(String(created.body.expires)) - almanac.service.clock.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  it('the database has only the digest of a token', async () => {
    const kim = await tokens.userWithRole('kim', readOnly);
    const { token } = (await tokens.create(kim, { name: 'x', roles: [kim.roleId] })).body;
    const rows = await almanac.service.database.query.selectFrom('personal_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(String(token).slice(5, 30));
  });

  it.each<[string, object, string]>([
    ['without roles and scope', {}, 'Specify either roles or scope'],
    ['with roles and scope', { roles: ['admin'], scope: readOnly }, 'Specify either roles or scope'],
    ['with an empty list of roles', { roles: [] }, 'roles must have at least 1 entries'],
    ['with a role the user does not have', { roles: ['admin'] }, 'You do not have role admin'],
    ['with a malformed scope', { scope: '{"Version":1}' }, 'scope/'],
    ['for no time', { scope: readOnly, expires_in_days: 0 }, 'expires_in_days must be at least 1'],
    [
      'for longer than allowed',
      { scope: readOnly, expires_in_days: 101 },
      'expires_in_days must be at most 100',
    ],
    ['without a name', { scope: readOnly, name: '' }, 'name must not be empty'],
    ['without the password', { scope: readOnly, current_password: '' }, 'current_password not specified'],
    ['with a wrong password', { scope: readOnly, current_password: 'wrong' }, 'current_password is wrong'],
  ])('no token is created %s', async (why, json, message) => {
    const user = await caller.makeUser(why.replaceAll(' ', '-'));
    const answer = await tokens.create(user, { name: 'x', ...json });
    expect(answer.status).toBe(400);
    expect(String(answer.body.message)).toContain(message);
    expect(await tokens.listOf(user)).toEqual([]);
  });

  it('the master can give a token any role of the account, but not one of another account', async () => {
    const role = await caller.makeRole('any', readOnly);
    const root = { token: await almanac.userToken(), password: first.password };
    expect((await tokens.create(root, { name: 'a', roles: [role, 'admin'] })).status).toBe(200);
    expect((await tokens.create(root, { name: 'b', roles: ['morole-elsewhere'] })).status).toBe(400);
    const shown = (await tokens.listOf(root)).find(({ name }) => name === 'a');
    expect(shown?.roles).toEqual([role, 'admin']);
  });

  it('a user has at most 50 tokens', async () => {
    const many = await caller.makeUser('many');
    await tokens.made(many, { scope: readOnly });
    const { query } = almanac.service.database;
    const row = await query
      .selectFrom('personal_tokens')
      .selectAll()
      .where('user_id', '=', many.userId)
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: 48 }, (_, n) => ({ ...row, hash: `hash ${n}`, id: `id ${n}` }));
    await query.insertInto('personal_tokens').values(others).execute();
    expect((await tokens.create(many, { name: 'the 50th', scope: readOnly })).status).toBe(200);
    expect((await tokens.create(many, { name: 'the 51st', scope: readOnly })).status).toBe(409);
  });

  it('no token is created with a password that is changed at the same time', async () => {
    const may = await caller.makeUser('may');
    const { database } = almanac.service;
    const lock = database.lock.bind(database);
    const spy = vi.spyOn(database, 'lock').mockImplementation(async (query, name) => {
      await lock(query, name);
      if (!name.startsWith('access of')) return;
      await query
        .updateTable('users')
        .set({ password_hash: 'another' })
        .where('id', '=', may.userId)
        .execute();
    });
    const answer = await tokens.create(may, { name: 'x', scope: readOnly });
    spy.mockRestore();
    expect(answer.status).toBe(409);
    expect(await tokens.listOf(may)).toEqual([]);
  });

  it('an API client cannot create, list or revoke personal access tokens', async () => {
    const token = await almanac.clientToken();
    for (const [method, path] of [
      ['POST', '/v3/personal_token'],
      ['GET', '/v3/personal_token'],
      ['DELETE', '/v3/personal_token/some-id'],
    ] as const)
      expect(
        (await caller.call(method, path, { token, ...(method === 'GET' ? {} : { json: {} }) })).body,
      ).toMatchObject(forbidden);
  });
});

describe('revoking a personal access token', () => {
  it('a revoked token is invalid at once', async () => {
    const bea = await tokens.userWithRole('bea', readOnly);
    const { token, id } = await tokens.made(bea, { roles: [bea.roleId] });
    expect(await caller.works(token)).toBe(true);
    const answer = await caller.call('DELETE', `/v3/personal_token/${id}`, { token: bea.token });
    expect(answer.body).toEqual({ status: 'success', token_id: id });
    expect(await caller.works(token)).toBe(false);
    expect((await caller.call('DELETE', `/v3/personal_token/${id}`, { token: bea.token })).status).toBe(404);
  });

  it('the master lists and revokes the tokens of any user; other users and other accounts do not', async () => {
    const carl = await tokens.userWithRole('carl', readOnly);
    const { token, id } = await tokens.made(carl, { roles: [carl.roleId] });
    const { token: other } = await caller.makeUser('dan');
    const elsewhere = await almanac.otherAccountToken();
    const list = (as: string) => caller.call('GET', '/v3/personal_token?username=carl', { token: as });
    expect([(await list(other)).status, (await list(elsewhere)).status]).toEqual([403, 404]);
    for (const as of [other, elsewhere])
      expect((await caller.call('DELETE', `/v3/personal_token/${id}`, { token: as })).status).toBe(404);
    expect(await caller.works(token)).toBe(true);
    expect((await list(await almanac.userToken())).body).toMatchObject([{ token_id: id }]);
    expect((await caller.call('DELETE', `/v3/personal_token/${id}`)).status).toBe(200);
    expect(await caller.works(token)).toBe(false);
  });

  it('a deleted user and a changed password leave no valid token', async () => {
    const eva = await tokens.userWithRole('eva', readOnly);
    const fay = await tokens.userWithRole('fay', readOnly);
    const ofEva = await tokens.made(eva, { roles: [eva.roleId] });
    const ofFay = await tokens.made(fay, { roles: [fay.roleId] });
    await caller.call('DELETE', '/v3/user/eva');
    await caller.call('PUT', '/v3/user/fay/password', { json: { password: 'walnut copper 71 ferry' } });
    expect([await caller.works(ofEva.token), await caller.works(ofFay.token)]).toEqual([false, false]);
  });

  it('an expired token is invalid and not listed', async () => {
    const gil = await tokens.userWithRole('gil', readOnly);
    const { token, id } = await tokens.made(gil, { roles: [gil.roleId] });
    await almanac.service.database.query
      .updateTable('personal_tokens')
      .set({ expires_at: almanac.service.clock.now() })
      .where('id', '=', id)
      .execute();
    expect(await caller.works(token)).toBe(false);
    expect(await tokens.listOf(gil)).toEqual([]);
  });
});

it('the list shows when a token was last used, and a busy token is not written on every call', async () => {
  const hal = await tokens.userWithRole('hal', readOnly);
  const { token, id } = await tokens.made(hal, { roles: [hal.roleId] });
  const lastUsed = async () =>
    (
      await almanac.service.database.query
        .selectFrom('personal_tokens')
        .select('last_used_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).last_used_at;
  await caller.works(token);
  const noted = await lastUsed();
  await caller.works(token);
  expect(noted).not.toBeNull();
  expect(await lastUsed()).toBe(noted);
  expect((await tokens.listOf(hal))[0]?.last_used).toMatch(aTime);
});

it('the audit log names the token of a call', async () => {
  const ida = await tokens.userWithRole('ida', readOnly);
  const { token, id } = await tokens.made(ida, { name: 'night job', roles: [ida.roleId] });
  await caller.call('POST', '/v3/alm/template', { token, json: {} });
  const { body } = await caller.call<Json[]>('GET', '/v3/audit?actor=ida');
  expect(body.find(({ route }) => route === 'v3ApplyTemplate')).toMatchObject({
    token: `${id} night job`,
    decision: 'denied',
  });
  expect(body.find(({ route }) => route === 'v3CreatePersonalToken')).not.toHaveProperty('token');
});

it('a token of a suspended account is refused with the reason', async () => {
  const jan = await tokens.userWithRole('jan', readOnly);
  const { token } = await tokens.made(jan, { roles: [jan.roleId] });
  const suspend = (suspended_at: number | null) =>
    almanac.service.database.query.updateTable('accounts').set({ suspended_at }).execute();
  await suspend(1);
  const answer = await caller.call('GET', '/v3/alm/stack', { token });
  await suspend(null);
  expect(answer.body).toMatchObject({ error: 'account_suspended' });
  expect(await caller.works(token)).toBe(true);
});
