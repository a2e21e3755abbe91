import { expect, it } from 'vitest';
import { redirectUri } from '../../openid/browser.ts';
import { useSingleSignOn } from '../../openid/sso.ts';
import { AccessCaller } from '../access/access-caller.ts';
import type { Json } from '../served-almanac.ts';

const sso = useSingleSignOn({ ALM_OIDC_ROLES: 'devs=developer,ops=operator,all=admin' });

const master = () => new AccessCaller(sso.almanac);
const rolesOf = async (username: string): Promise<string[]> => {
  const { body } = await master().call<Json[]>('GET', `/v3/user/${username}/role`);
  return body.map((role) => String(role.name)).toSorted();
};

it('a person signs in through the provider, becomes a user, and stays the same user', async () => {
  const ann = { sub: 'person-1', preferred_username: 'ann', groups: ['all'] };
  const { token } = await sso.signIn(ann);
  const tokens = await sso.almanac.call<Json[]>('GET', '/v3/token', { token });
  expect(tokens.body).toMatchObject([{ client_id: 'alm', grant_type: 'authorization_code', current: true }]);
  expect(await rolesOf('ann')).toEqual(['Management Role']);
  await sso.signIn({ ...ann, preferred_username: 'renamed' });
  const users = await master().call<Json[]>('GET', '/v3/user');
  expect(users.body.map(({ username }) => username)).toEqual(['root', 'ann']);
  expect(users.body.map((user) => user.master)).toEqual([true, false]);
});

it('the client gets its state back, and nothing else than the code', async () => {
  const { end } = await sso.visit({ sub: 'person-2', preferred_username: 'ben', groups: ['all'] });
  expect(end.href.startsWith(redirectUri)).toBe(true);
  expect([...end.searchParams.keys()]).toEqual(['code', 'state']);
  expect(end.searchParams.get('state')).toBe('state of the client');
});

it('groups are mapped to roles at each sign-in; other roles stay; lost groups lose their roles at once', async () => {
  const caller = master();
  for (const name of ['developer', 'operator', 'extra']) await caller.makeRole(name);
  const roles = (await caller.call<Json[]>('GET', '/v3/role')).body;
  const extra = roles.find(({ name }) => name === 'extra')?.role_id;
  const carl = { sub: 'person-3', preferred_username: 'carl' };
  await sso.signIn({ ...carl, groups: ['devs', 'strangers'] });
  expect(await rolesOf('carl')).toEqual(['developer']);
  await caller.call('POST', '/v3/user/role', { json: { username: 'carl', role_id: extra } });
  await sso.signIn({ ...carl, groups: ['devs', 'ops', 'all'] });
  expect(await rolesOf('carl')).toEqual(['Management Role', 'developer', 'extra', 'operator']);
  await sso.signIn({ ...carl, groups: 'ops' });
  expect(await rolesOf('carl')).toEqual(['extra', 'operator']);
  await sso.signIn(carl);
  expect(await rolesOf('carl')).toEqual(['extra']);
});

it.each([
  ['a number', 7],
  ['an object', { devs: true }],
  ['a list with other values', ['devs', { name: 'ops' }]],
  ['a list in a list', [['devs']]],
])('a group claim that is %s is refused and changes nothing', async (_name, groups) => {
  const dora = { sub: 'person-4', preferred_username: 'dora' };
  await sso.signIn({ ...dora, groups: ['devs'] });
  const { token, error } = await sso.signIn({ ...dora, groups });
  expect([token, error]).toEqual([
    '',
    expect.stringContaining('groups of the OpenID provider is not a list'),
  ]);
  expect(await rolesOf('dora')).toEqual(['developer']);
});

it('a group never makes a person the master', async () => {
  const { token } = await sso.signIn({ sub: 'person-5', preferred_username: 'eve', groups: ['all'] });
  expect((await sso.almanac.call('GET', '/v3/user', { token })).status).toBe(403);
});

it('an existing user is never taken over by its name: the master must link it', async () => {
  const fay = await master().makeUser('fay');
  const person = { sub: 'person-6', preferred_username: 'fay', groups: ['all'], email: 'root@localhost' };
  const refused = await sso.signIn(person);
  expect(refused.error).toContain('A user with the name fay exists');
  expect(refused.error).toContain(`alm user link fay --subject person-6 --issuer ${sso.provider.issuer}`);
  const path = '/v3/user/fay/openid';
  expect((await master().call('GET', path)).status).toBe(404);
  const linked = await master().call('PUT', path, { json: { subject: 'person-6' } });
  expect([linked.status, linked.body]).toEqual([200, { issuer: sso.provider.issuer, subject: 'person-6' }]);
  const { token } = await sso.signIn(person);
  const tokens = await sso.almanac.call<Json[]>('GET', '/v3/token', { token });
  expect(tokens.body).toHaveLength(2);
  expect((await sso.almanac.call('PUT', path, { token, json: { subject: 'x' } })).status).toBe(403);
  expect((await master().call('DELETE', path)).status).toBe(200);
  expect((await sso.signIn(person)).error).toContain('A user with the name fay exists');
  expect((await sso.almanac.call('GET', '/v3/token', { token: fay.token })).status).toBe(200);
});

it('a person of the provider adds no passkey, which would still sign in after the provider blocks the person', async () => {
  const { token } = await sso.signIn({ sub: 'person-28', preferred_username: 'keyless', groups: ['all'] });
  const { settings } = sso.almanac.service;
  const before = settings.baseUrl;
  settings.baseUrl = 'https://almanac.example.com';
  const { status, body } = await sso.almanac.call('POST', '/v3/passkey/options', { token });
  settings.baseUrl = before;
  expect([status, body.description]).toEqual([409, 'Add the passkey there.']);
});

it.each([
  ['root', 'reserved'],
  ['Role', 'reserved'],
  ['lg-first-client', 'must not start with'],
  ['mo-stack', 'must not start with'],
  ['../admin', 'username must be'],
  ['root@localhost', 'exists and is not linked'],
])('a person named %s at the provider is refused', async (preferred_username, reason) => {
  expect((await sso.signIn({ sub: 'person-7', preferred_username })).error).toContain(reason);
});

it('the master cannot be linked, and an identity belongs to one user only', async () => {
  await master().makeUser('gil');
  await sso.signIn({ sub: 'person-8', preferred_username: 'hal', groups: ['all'] });
  const link = (name: string, subject: string) =>
    master().call('PUT', `/v3/user/${name}/openid`, { json: { subject } });
  expect((await link('root', 'person-9')).body).toMatchObject({ error: 'conflict' });
  expect((await link('gil', 'person-8')).body).toMatchObject({ error: 'duplicate' });
  expect((await link('nobody', 'person-9')).status).toBe(404);
});

it('a deleted user is signed out at once, and a later sign-in makes a new user without its roles', async () => {
  const ida = { sub: 'person-10', preferred_username: 'ida', groups: ['devs', 'all'] };
  const { token } = await sso.signIn(ida);
  const { end, verifier } = await sso.visit(ida);
  await master().call('DELETE', '/v3/user/ida');
  expect((await sso.almanac.call('GET', '/v3/token', { token })).status).toBe(401);
  expect((await sso.redeem(end.searchParams.get('code'), verifier)).body.error).toBe('invalid_grant');
  await sso.signIn({ ...ida, groups: ['devs'] });
  expect(await rolesOf('ida')).toEqual(['developer']);
});

it('a user of the provider has no password, and a changed password ends its sign-ins', async () => {
  const jan = { sub: 'person-11', preferred_username: 'jan', groups: ['all'] };
  const { token } = await sso.signIn(jan);
  for (const password of ['', 'person-11', 'jan'])
    expect((await master().signIn('jan', password)).status).toBe(400);
  const { end, verifier } = await sso.visit(jan);
  await master().call('PUT', '/v3/user/jan/password', { json: { password: 'a long enough password' } });
  expect((await sso.almanac.call('GET', '/v3/token', { token })).status).toBe(401);
  expect((await sso.redeem(end.searchParams.get('code'), verifier)).body.error).toBe('invalid_grant');
});

it('the audit log shows the sign-in and what the provider changed', async () => {
  await sso.signIn({ sub: 'person-12', preferred_username: 'kim', groups: ['devs'] });
  const { body } = await master().call<{ entries?: Json[] } & Json>('GET', '/v3/audit?actor=kim');
  expect(JSON.stringify(body)).toContain('user created; role developer attached');
});

it('people of a suspended account cannot sign in', async () => {
  const { query } = sso.almanac.service.database;
  await query.updateTable('accounts').set({ suspended_at: 1 }).execute();
  try {
    const { error } = await sso.signIn({ sub: 'person-1', preferred_username: 'ann' });
    expect(error).toContain('suspended');
  } finally {
    await query.updateTable('accounts').set({ suspended_at: null }).execute();
  }
});
