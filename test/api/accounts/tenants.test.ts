import { beforeAll, describe, expect, it } from 'vitest';
import { oneServer } from '../../world.ts';
import { type Json, useServedAlmanac } from '../served-almanac.ts';
import { Tenant } from './tenant.ts';

/** Two accounts that use the same names for everything. */
const almanac = useServedAlmanac();
let one: Tenant;
let two: Tenant;
let stackOfOne: string;
let stackOfTwo: string;
const both = () => [one, two];

beforeAll(async () => {
  [one, two] = [await Tenant.create(almanac, 'One'), await Tenant.create(almanac, 'Two')];
  const named = { ...oneServer(), nickname: 'shop' };
  [stackOfOne, stackOfTwo] = [await one.settledStack(named), await two.settledStack(named)];
});

describe('two accounts with the same names', () => {
  it('users of the same name are two users, with their own passwords and roles', async () => {
    const [annOfOne, annOfTwo] = [await one.newUser('ann'), await two.newUser('ann')];
    const scope = JSON.stringify({
      Version: '2017-05-05',
      Statement: [{ Effect: 'Deny', Action: ['*'], Resource: ['*'] }],
    });
    const role = await one.call('POST', '/v3/role', { json: { name: 'same role', scope } });
    await one.call('POST', '/v3/user/role', { json: { username: 'ann', role_id: role.body.role_id } });
    expect((await one.call('GET', '/v3/alm/stack', { token: annOfOne })).status).toBe(403);
    expect((await two.call('GET', '/v3/alm/stack', { token: annOfTwo })).status).toBe(200);
    const attach = { json: { username: 'ann', role_id: role.body.role_id } };
    expect((await two.call('POST', '/v3/user/role', attach)).status).toBe(404);
    await one.call('DELETE', '/v3/user/ann');
    expect((await two.call('GET', '/v3/token', { token: annOfTwo })).status).toBe(200);
  });

  it('a password of one account does not sign in to the other, not even through its API client', async () => {
    const json = { ...one.login, password: two.login.password, grant_type: 'password' };
    expect((await almanac.call('POST', '/v3/access_token', { json })).body.error).toBe('invalid_grant');
  });

  it('at the gateway a shared name is ambiguous, and the account id makes it unique', async () => {
    const signIn = (username: string, passwd: string) =>
      almanac.call('POST', '/token', { json: { username, passwd } });
    expect((await signIn('root', one.login.password)).status).toBe(401);
    for (const tenant of both()) {
      const { body } = await signIn(`${tenant.id}.root`, tenant.login.password);
      const own = await almanac.call('GET', '/v3/account', { token: String(body.key) });
      expect(own.body.account_id).toBe(tenant.id);
    }
    expect((await signIn(`${one.id}.root`, two.login.password)).status).toBe(401);
  });

  it('stacks of the same nickname are listed in their own account only', async () => {
    for (const [tenant, stackId] of [
      [one, stackOfOne],
      [two, stackOfTwo],
    ] as const) {
      const { body } = await tenant.call<Json[]>('GET', '/v3/alm/stack?nickname=shop');
      expect(body.map(({ stack_id }) => stack_id)).toEqual([stackId]);
    }
  });

  it('credentials of the same vendor and id have their own secret and label', async () => {
    const save = (tenant: Tenant, account: string) =>
      tenant.call('POST', '/v3/cred/sandbox', {
        json: { id: 'SHARED', secret: `secret of ${tenant.id}`, account },
      });
    const labels = async (tenant: Tenant) => JSON.stringify((await tenant.call('GET', '/v3/cred')).body);
    await save(one, 'label of one');
    await save(two, 'label of two');
    expect(await labels(one)).not.toContain('label of two');
    expect(await labels(two)).not.toContain('label of one');
  });

  it('the same idempotency key is two writes', async () => {
    const headers = { 'idempotency-key': 'the same key' };
    const [ofOne, ofTwo] = [
      await one.applyTemplate(oneServer(), headers),
      await two.applyTemplate(oneServer(), headers),
    ];
    expect(ofTwo.status).toBe(201);
    expect(ofTwo.body.stack_id).not.toBe(ofOne.body.stack_id);
    expect(String(ofTwo.body.stack_id)).toContain(two.id);
  });

  it('a cursor of one account shows the other account nothing that is not its own', async () => {
    const page = await one.call<Json[]>('GET', '/v3/alm/stack?limit=1');
    const cursor = page.headers.get('x-next-cursor') ?? '';
    expect(cursor).not.toBe('');
    const { body } = await two.call<Json[]>('GET', `/v3/alm/stack?cursor=${encodeURIComponent(cursor)}`);
    for (const stack of Array.isArray(body) ? body : []) expect(String(stack.stack_id)).toContain(two.id);
  });

  it.each([
    ['GET', (id: string) => `/v3/alm/stack/${id}`],
    ['GET', (id: string) => `/v3/alm/stack/${id}/events`],
    ['GET', (id: string) => `/v3/alm/stack/${id}/events/stream`],
    ['GET', (id: string) => `/v3/alm/template?stack_id=${id}`],
    ['GET', (id: string) => `/v3/alm/pem?stack_id=${id}`],
    ['POST', (id: string) => `/v3/alm/stack/${id}/terminal`],
    ['POST', (id: string) => `/v3/alm/stack/${id}/rollback`],
    ['DELETE', (id: string) => `/v3/alm/stack/${id}`],
  ])('a stack of another account does not exist: %s %s', async (method, path) => {
    const json = { instance_id: 'i-1', version_id: 'v' };
    const request = method === 'GET' ? {} : { json };
    const [strange, missing] = [
      await two.call(method, path(stackOfOne), request),
      await two.call(method, path(stackOfOne.replace(one.id, two.id)), request),
    ];
    expect(strange.status).toBe(404);
    // Nothing confirms that the id exists in another account.
    const withoutIds = (text: string) =>
      text
        .replaceAll(one.id, '')
        .replaceAll(two.id, '')
        .replace(/"request_id":"[^"]*"/, '');
    expect(withoutIds(strange.text)).toBe(withoutIds(missing.text));
  });

  it('the token of a stack reaches no stack of another account', async () => {
    const { body } = await one.call('GET', `/v3/alm/stack/${stackOfOne}`);
    const asStack = { client_id: stackOfOne, client_secret: body.auth_token };
    const token = await almanac.newToken({ ...asStack, grant_type: 'client_credentials' });
    const config = (id: string) =>
      almanac.call('GET', `/v3/alm/agent/config?stack_id=${id}&flag=web0`, { token });
    expect((await config(stackOfTwo)).status).toBe(403);
    expect((await config(stackOfOne)).status).toBe(200);
  });

  it('the users, the clients, the roles and the account show only their own', async () => {
    for (const [tenant, other] of [
      [one, two],
      [two, one],
    ] as const)
      for (const path of ['/v3/user', '/v3/client', '/v3/role', '/v3/account']) {
        const { status, text } = await tenant.call('GET', path);
        const leaks = text.includes(other.id) || text.includes(other.login.client_id);
        expect({ path, status, leaks }).toEqual({ path, status: 200, leaks: false });
      }
  });

  it('the audit log has the calls of its own account only, and starts with the command of the operator', async () => {
    for (const tenant of both()) {
      const { body } = await tenant.call<Json[]>('GET', '/v3/audit?limit=1000');
      expect(new Set(body.map(({ account_id }) => account_id))).toEqual(new Set([tenant.id]));
      expect(body.at(-1)).toMatchObject({ actor_kind: 'operator', route: 'account create', number: 1 });
    }
  });

  it('an API client of another account cannot be changed or deleted', async () => {
    const { client_id } = one.login;
    expect((await two.call('DELETE', `/v3/client/${client_id}`)).status).toBe(404);
    expect((await one.call('GET', '/v3/account')).status).toBe(200);
  });

  it('a fault that is injected into the simulated cloud of one account does not affect the other', async () => {
    const json = { vendor: 'aws', cred: 'SANDBOX', stack_id: stackOfTwo };
    expect((await one.call('POST', '/v3/sandbox/fault', { json })).status).toBeGreaterThanOrEqual(400);
  });

  it('public metrics name no account, user or stack', async () => {
    const { text } = await almanac.call('GET', '/metrics');
    for (const name of [one.id, two.id, stackOfOne, stackOfTwo]) expect(text).not.toContain(name);
  });
});
