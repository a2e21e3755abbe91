import { describe, expect, it } from 'vitest';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { AccessCaller, forbidden, scopeAllowing } from '../access/access-caller.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from './personal-token-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);
const tokens = new PersonalTokens(caller);

const look = scopeAllowing('stack:describe*');
const everything = scopeAllowing('*');
const denyStacks = JSON.stringify({
  Version: '2017-05-05',
  Statement: [{ Effect: 'Deny', Action: ['stack:*'], Resource: ['*'] }],
});
const statusOf = async (token: string, method: string, path: string) =>
  (await caller.call(method, path, { token })).status;
const root = async () => ({ token: await almanac.userToken(), password: first.password });

describe('the rights of a personal access token', () => {
  it('a token may do only what its roles allow, on both interface versions', async () => {
    const stackId = await almanac.applyTemplate();
    const ann = await tokens.userWithRole('ann', everything);
    const looking = await caller.makeRole('look', look);
    await tokens.attach('ann', looking);
    const { token } = await tokens.made(ann, { roles: [looking] });
    expect(await statusOf(token, 'GET', `/v3/alm/stack/${stackId}`)).toBe(200);
    expect(await statusOf(token, 'GET', '/v2/alm/stack')).toBe(200);
    const refused = await caller.call('DELETE', `/v3/alm/stack/${stackId}`, { token });
    expect(refused.body).toMatchObject(forbidden);
    expect(String(refused.body.description)).toContain('The personal access token is limited.');
    expect(await statusOf(ann.token, 'GET', '/v3/credentials/aws')).toBe(200);
    expect(await statusOf(token, 'GET', '/v3/credentials/aws')).toBe(403);
  });

  it('a token cannot leave out a role of its user that denies', async () => {
    const ben = await tokens.userWithRole('ben', everything);
    await tokens.attach('ben', await caller.makeRole('deny', denyStacks));
    const { token } = await tokens.made(ben, { roles: [ben.roleId] });
    expect(await statusOf(ben.token, 'GET', '/v3/alm/stack')).toBe(403);
    expect(await statusOf(token, 'GET', '/v3/alm/stack')).toBe(403);
  });

  it('a token with a wider scope than its user has only the rights of the user', async () => {
    const cleo = await tokens.userWithRole('cleo', look);
    const { token } = await tokens.made(cleo, { scope: everything });
    expect(await statusOf(token, 'GET', '/v3/alm/stack')).toBe(200);
    expect(await statusOf(token, 'GET', '/v3/credentials/aws')).toBe(403);
  });

  it('a role that is detached, narrowed or deleted leaves the token too', async () => {
    const dan = await tokens.userWithRole('dan', look);
    const spare = await caller.makeRole('spare', everything);
    await tokens.attach('dan', spare);
    const both = await tokens.made(dan, { roles: [dan.roleId, spare] });
    const one = await tokens.made(dan, { roles: [dan.roleId] });
    await caller.call('DELETE', `/v3/user/role/${spare}?username=dan`);
    expect(await statusOf(both.token, 'GET', '/v3/credentials/aws')).toBe(403);
    expect(await statusOf(both.token, 'GET', '/v3/alm/stack')).toBe(200);
    await caller.call('DELETE', `/v3/role/${dan.roleId}`);
    expect(await statusOf(one.token, 'GET', '/v3/alm/stack')).toBe(403);
    // Without roles the user has the default rights, which no token named.
    expect(await statusOf(dan.token, 'GET', '/v3/alm/stack')).toBe(200);
  });

  it('a token of the master has only the roles it names, and loses them when they are deleted', async () => {
    const stackId = await almanac.applyTemplate();
    const role = await caller.makeRole('look too', look);
    const { token } = await tokens.made(await root(), { roles: [role] });
    expect(await statusOf(token, 'GET', `/v3/alm/stack/${stackId}`)).toBe(200);
    expect(await statusOf(token, 'DELETE', `/v3/alm/stack/${stackId}`)).toBe(403);
    await caller.call('DELETE', `/v3/role/${role}`);
    expect(await statusOf(token, 'GET', `/v3/alm/stack/${stackId}`)).toBe(403);
  });

  it('a token finds nothing of another account', async () => {
    const stackId = await almanac.applyTemplate(undefined, await almanac.otherAccountToken());
    const { token } = await tokens.made(await root(), { roles: ['admin'] });
    expect(await statusOf(token, 'GET', `/v3/alm/stack/${stackId}`)).toBe(404);
  });
});

describe('what no personal access token may do', () => {
  const closed = [...v2Routes, ...v3Routes].filter(
    ({ access, method }) => access === 'master' || (access === 'self' && method !== 'GET'),
  );

  it.each(closed.map(({ method, path }) => [method, path] as const))(
    '%s %s is closed to a token of the master with every right',
    async (method, path) => {
      const { token, id } = await tokens.made(await root(), { scope: everything });
      const answer = await caller.call(method, path.replace(/\{\w+\}/g, 'root'), {
        token,
        ...(method === 'GET' ? {} : { json: {} }),
      });
      expect(answer.body).toMatchObject(forbidden);
      await caller.call('DELETE', `/v3/personal_token/${id}`);
    },
  );

  it('a token does not get the secret of a stack, which would be valid after its revocation', async () => {
    const stackId = await almanac.applyTemplate();
    const { token } = await tokens.made(await root(), { scope: everything });
    const path = `/v3/alm/stack/${stackId}`;
    expect((await caller.call('GET', path, { token: await almanac.userToken() })).body.auth_token).not.toBe(
      '',
    );
    expect((await caller.call('GET', path, { token })).body.auth_token).toBe('');
  });

  it('a token of the master does not see other users or the secrets of stacks', async () => {
    const { token } = await tokens.made(await root(), { scope: everything });
    const eva = await caller.makeUser('eva');
    await tokens.made(eva, { scope: look });
    expect(await statusOf(token, 'GET', '/v3/user')).toBe(403);
    expect(await statusOf(token, 'GET', '/v3/user?username=eva')).toBe(403);
    expect(await statusOf(token, 'GET', '/v3/personal_token?username=eva')).toBe(403);
    expect(await statusOf(token, 'GET', '/v3/user?username=root')).toBe(200);
  });
});

it.each([
  [
    'with a changed character',
    (token: string) => `${token.slice(0, 20)}${token[20] === 'a' ? 'b' : 'a'}${token.slice(21)}`,
  ],
  ['without its end', (token: string) => token.slice(0, -1)],
  ['with another prefix', (token: string) => token.replace('almp_', 'alm_')],
])('a token %s is not accepted', async (_, change) => {
  const { token } = await tokens.made(await root(), { scope: look });
  expect(await statusOf(change(token), 'GET', '/v3/alm/stack')).toBe(401);
});
