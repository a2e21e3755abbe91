import { beforeAll, describe, expect, it } from 'vitest';
import { readMeta } from '../../../src/store/database/meta.ts';
import { oneServer } from '../../world.ts';
import { AccessCaller, type MadeUser } from '../access/access-caller.ts';
import { Tenant } from '../accounts/tenant.ts';
import { first, useServedAlmanac } from '../served-almanac.ts';
import { PersonalTokens } from '../sign-in/personal-token-caller.ts';
import { basic, RegistryCaller } from './registry-caller.ts';

const almanac = useServedAlmanac({ environment: { ALM_REGISTRY_URL: 'https://registry.test:5000' } });
const caller = new AccessCaller(almanac);
const registry = new RegistryCaller(almanac);
const tokens = new PersonalTokens(caller);
const root = basic(first);
const nobody = {};

let firstAccount: string;
let ann: MadeUser;
beforeAll(async () => {
  firstAccount = (await readMeta(almanac.service.database.query, 'first_account')) ?? '';
  ann = await caller.makeUser('ann');
});

const scopeOf = (...statements: [effect: 'Allow' | 'Deny', action: string, resource: string][]) =>
  JSON.stringify({
    Version: '2017-05-05',
    Statement: statements.map(([Effect, action, resource]) => ({
      Effect,
      Action: [action],
      Resource: [resource],
    })),
  });

describe('the list of all repositories of the registry', () => {
  const catalog = 'registry:catalog:*';
  it('is for users of the only account, unless a role denies it, and for nobody if there is another account', async () => {
    expect(await registry.access(root, catalog)).toEqual(['catalog:*']);
    expect(await registry.access(basic(ann), catalog)).toEqual(['catalog:*']);
    expect(await registry.access(nobody, catalog)).toEqual([]);
    const dan = await tokens.userWithRole('dan', scopeOf(['Allow', 'registry:pull', '*']));
    expect(await registry.access(basic(dan), catalog)).toEqual([]);
    const tenant = await Tenant.create(almanac, 'the second');
    expect(await registry.access(root, catalog)).toEqual([]);
    expect(await registry.access({ token: tenant.token }, catalog)).toEqual([]);
  });
});

describe('rights on repositories', () => {
  it('the master and owner clients may do everything in the account', async () => {
    const all = ['ann/shop:pull,push,delete', 'base:pull,push,delete'];
    expect(await registry.may(root, 'ann/shop', 'base')).toEqual(all);
    const client = basic({ username: first.client_id, password: first.client_secret });
    expect(await registry.may(client, 'ann/shop', 'base')).toEqual(all);
    expect(await registry.may({ token: await almanac.clientToken() }, 'ann/shop', 'base')).toEqual(all);
  });

  it('a user without a role may do everything in the own namespace, and nothing elsewhere', async () => {
    for (const request of [basic(ann), { token: ann.token }])
      expect(await registry.may(request, 'ann/shop', 'anna/shop', 'ann', 'root/shop')).toEqual([
        'ann/shop:pull,push,delete',
      ]);
  });

  it('a user has the own namespace with every role, other repositories by role, and a deny statement wins everywhere', async () => {
    const scope = scopeOf(
      ['Allow', 'registry:pull', 'mrn:registry:ann/*'],
      ['Allow', 'view:alm.registry', 'mrn:registry:base'],
      ['Deny', 'registry:*', 'mrn:registry:ann/secret'],
      ['Deny', 'registry:delete', 'mrn:registry:eve/*'],
    );
    const eve = await tokens.userWithRole('eve', scope);
    const names = ['ann/shop', 'ann/secret', 'base', 'eve/app', 'root/a'];
    const expected = ['ann/shop:pull', 'base:pull', 'eve/app:pull,push'];
    expect(await registry.may(basic(eve), ...names)).toEqual(expected);
  });

  it('a user whose name the registry does not accept has no namespace, but roles count', async () => {
    const scope = scopeOf(['Allow', 'registry:*', 'mrn:registry:team/*']);
    const upper = await tokens.userWithRole('Fay', scope);
    expect(await registry.may(basic(upper), 'fay/app', 'team/app')).toEqual(['team/app:pull,push,delete']);
  });

  it('a personal access token has the part of the rights of its user that it names', async () => {
    const made = async (scope: string) =>
      basic({ username: 'ann', password: (await tokens.made(ann, { scope, expires_in_days: 1 })).token });
    const pull = await made(scopeOf(['Allow', 'registry:pull', '*']));
    expect(await registry.may(pull, 'ann/shop', 'root/shop')).toEqual(['ann/shop:pull']);
    const none = await made(scopeOf(['Allow', 'stack:*', '*']));
    expect(await registry.may(none, 'ann/shop')).toEqual([]);
    const all = await made(scopeOf(['Allow', '*', '*']));
    expect(await registry.may(all, 'ann/shop', 'root/shop')).toEqual(['ann/shop:pull,push,delete']);
  });

  it('a service client has what its roles allow, and clients of other kinds get 401', async () => {
    const make = async (kind: string) => {
      const { body } = await caller.call('POST', '/v3/client', { json: { label: kind, kind } });
      return { username: String(body.client_id), password: String(body.client_secret) };
    };
    const service = await make('service');
    expect(await registry.may(basic(service), 'ann/shop')).toEqual([]);
    const role_id = await caller.makeRole('ci', scopeOf(['Allow', 'registry:push', 'mrn:registry:ann/*']));
    await caller.call('POST', `/v3/client/${service.username}/role`, { json: { role_id } });
    expect(await registry.may(basic(service), 'ann/shop', 'root/a')).toEqual(['ann/shop:push']);
    for (const kind of ['sign-in', 'agent'])
      expect((await registry.get(basic(await make(kind)))).status).toBe(401);
    const wrong = await registry.get(basic({ ...service, password: 'wrong' }));
    expect(wrong.status).toBe(401);
  });
});

describe('public repositories', () => {
  it('can be pulled by anybody, and by nobody once they are private again', async () => {
    await registry.setVisibility('ann/open', firstAccount, 'public');
    const tenant = await Tenant.create(almanac, 'a guest');
    for (const request of [nobody, { token: tenant.token }])
      expect(await registry.may(request, 'ann/open', 'ann/shop')).toEqual(['ann/open:pull']);
    await registry.setVisibility('ann/open', firstAccount, 'private');
    expect(await registry.may(nobody, 'ann/open')).toEqual([]);
  });
});

describe('two accounts', () => {
  it('have namespaces that differ, and no rights on the repositories of each other', async () => {
    const tenant = await Tenant.create(almanac, 'a tenant');
    const token = await tenant.newUser('ann');
    const own = `${tenant.id}.ann/shop`;
    const names = [own, `${tenant.id}.root/shop`, 'ann/shop', 'root/shop'];
    expect(await registry.may({ token }, ...names)).toEqual([`${own}:pull,push,delete`]);
    const all = [own, `${tenant.id}.root/shop`].map((name) => `${name}:pull,push,delete`);
    expect(await registry.may({ token: tenant.token }, ...names)).toEqual(all);
    expect(await registry.may(basic(ann), ...names)).toEqual(['ann/shop:pull,push,delete']);
    expect(await registry.may(root, own)).toEqual([]);
    const role = scopeOf(['Allow', '*', '*']);
    const gus = await tokens.userWithRole('gus', role);
    expect(await registry.may(basic(gus), own, 'ann/shop')).toEqual(['ann/shop:pull,push,delete']);
  });

  it('a user of the first account whose name looks like one of another account owns nothing', async () => {
    const tenant = await Tenant.create(almanac, 'the victim');
    const fake = await caller.makeUser(`${tenant.id}.root`);
    expect(await registry.may({ token: fake.token }, `${tenant.id}.root/shop`)).toEqual([]);
  });
});

describe('the agents of a stack', () => {
  const withImages = (...images: string[]) => {
    const template = oneServer();
    const [layer] = template.configurations;
    const configurations: object[] = [];
    for (const [index, container_image] of images.entries())
      configurations.push({ ...layer, flag: `web${index}`, container: { container_image } });
    return { ...template, configurations };
  };

  it('may pull exactly the images that the template names, and those of the version that is still running', async () => {
    const tenant = await Tenant.create(almanac, 'not the owner');
    const host = 'registry.test:5000';
    const foreign = `${tenant.id}.root/app`;
    const images = [`${host}/ann/shop:1`, 'other.test/ann/other', 'ann/local'];
    const withForeign = withImages(...images, `${host}/${foreign}:1`);
    expect((await caller.call('POST', '/v3/alm/template', { json: withForeign })).status).toBe(403);
    const stackId = await almanac.applyTemplate(withImages(...images));
    await almanac.waitFor(stackId, 'CREATE_COMPLETE');
    const request = { token: await almanac.stackToken(stackId) };
    const names = ['ann/shop', foreign, 'ann/other', 'ann/local', 'ann/next'];
    expect(await registry.may(request, ...names)).toEqual(['ann/shop:pull']);
    const json = withImages(`${host}/ann/next:2`);
    await caller.call('PUT', `/v3/alm/template/${stackId}?servers=replace`, { json });
    expect(await registry.may(request, ...names)).toContain('ann/next:pull');
    await almanac.waitFor(stackId, 'UPDATE_COMPLETE');
    expect(await registry.may(request, ...names)).toEqual(['ann/next:pull']);
    expect((await registry.get(request, [], { offline_token: 'true' })).body).not.toHaveProperty(
      'refresh_token',
    );
  });
});
