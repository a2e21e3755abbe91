import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientKind } from '../../../src/model/client-kinds.ts';
import { first, type Json, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, forbidden, scopeAllowing } from './access-caller.ts';

const almanac = useServedAlmanac();
const caller = new AccessCaller(almanac);
let stackId: string;
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
});

interface Client {
  client_id: string;
  client_secret?: string;
}

const make = async (kind: ClientKind): Promise<Client> => {
  const answer = await caller.call('POST', '/v3/client', { json: { label: kind, kind } });
  expect(answer.status).toBe(200);
  return { client_id: String(answer.body.client_id), client_secret: String(answer.body.client_secret) };
};
const attach = (client: Client, role_id: string) =>
  caller.call('POST', `/v3/client/${client.client_id}/role`, { json: { role_id } });
const serviceWith = async (...actions: string[]): Promise<Client> => {
  const client = await make('service');
  const role_id = await caller.makeRole('of a service', scopeAllowing(...actions));
  expect((await attach(client, role_id)).status).toBe(200);
  return client;
};

type Grant = 'password' | 'client_credentials';

/** Asks without a header, so that only the credentials in the body count. */
const askToken = (client: Client, grant_type: Grant, user: object = first) => {
  const { username, password } = { ...first, ...user };
  const json = { ...client, grant_type, ...(grant_type === 'password' ? { username, password } : {}) };
  return almanac.call('POST', '/v3/access_token', { json });
};

const v2Route = (token: string) => almanac.call('GET', '/v2/alm/stack', { token });
const v3Route = (token: string) => almanac.call('GET', '/v3/alm/stack', { token });
const agentRoute = (token: string) =>
  almanac.call('POST', '/v3/alm/agent/agent_status', {
    token,
    json: { stack_id: stackId, agent_id: 'a1', status: 'running' },
  });

type Rights = [v2: number, v3: number, agent: number];

/** Status of the token endpoint for both grants, then of each kind of route for the client's own token. */
const table: [name: string, client: () => Promise<Client>, password: number, own: number, rights: Rights][] =
  [
    ['an owner client', () => make('owner'), 200, 200, [200, 403, 202]],
    ['the first client', async () => first, 200, 200, [200, 403, 202]],
    ['a sign-in client', () => make('sign-in'), 200, 400, [0, 0, 0]],
    ['the public client', async () => ({ client_id: 'alm' }), 200, 400, [0, 0, 0]],
    ['an agent client', () => make('agent'), 400, 200, [403, 403, 202]],
    ['a service client without roles', () => make('service'), 400, 200, [403, 403, 403]],
    ['a service client with a role', () => serviceWith('stack:describe*'), 400, 200, [200, 200, 403]],
  ];

describe.each(table)('%s', (_, makeClient, password, own, rights) => {
  it(`the password grant gets ${password}, client_credentials ${own}, and v2, v3 and agent routes ${rights.join(', ')}`, async () => {
    const client = await makeClient();
    const asUser = await askToken(client, 'password');
    expect(asUser.status).toBe(password);
    if (password === 400) expect(asUser.body.error).toBe('unauthorized_client');
    else expect((await v3Route(String(asUser.body.access_token))).status).toBe(200);
    const asClient = await askToken(client, 'client_credentials');
    expect(asClient.status).toBe(own);
    if (own === 400) return expect(asClient.body.error).toBe('unauthorized_client');
    const token = String(asClient.body.access_token);
    const answers = [await v2Route(token), await v3Route(token), await agentRoute(token)];
    expect(answers.map(({ status }) => status)).toEqual(rights);
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(answer.body).toMatchObject(forbidden);
  });
});

it('an API client that is created without a kind has no rights of its own', async () => {
  const made = await caller.call('POST', '/v3/client', { json: { label: 'plain' } });
  expect(made.body.kind).toBe('sign-in');
  const client = { client_id: String(made.body.client_id), client_secret: String(made.body.client_secret) };
  const answer = await askToken(client, 'client_credentials');
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    error: 'unauthorized_client',
    message: expect.stringContaining('needs a client of kind service or agent'),
  });
});

describe('a user without rights who signs in through a client', () => {
  it.each<ClientKind>(['sign-in', 'owner'])(
    'has only its own rights on v2 and v3 through a client of kind %s',
    async (kind) => {
      const user = await caller.makeUser(`through-${kind}`);
      const nothing = await caller.makeRole('nothing', scopeAllowing('stack:none'));
      await caller.call('POST', '/v3/user/role', { json: { username: user.username, role_id: nothing } });
      const token = String((await askToken(await make(kind), 'password', user)).body.access_token);
      expect([(await v2Route(token)).status, (await v3Route(token)).status]).toEqual([403, 403]);
    },
  );

  it('cannot get more by client_credentials with the sign-in client that it knows', async () => {
    const client = await make('sign-in');
    for (const version of ['v2', 'v3']) {
      const json = { ...client, grant_type: 'client_credentials' };
      const answer = await almanac.call('POST', `/${version}/access_token`, { json });
      expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
    }
  });
});

describe('a service client', () => {
  it('sees only the stacks that its roles allow, and cannot use routes for users or the master', async () => {
    const client = await serviceWith('stack:describe*');
    const token = String((await askToken(client, 'client_credentials')).body.access_token);
    const seen = await almanac.call('GET', `/v3/alm/stack/${stackId}`, { token });
    expect([seen.status, seen.body.auth_token]).toEqual([200, '']);
    for (const [method, path] of [
      ['DELETE', `/v3/alm/stack/${stackId}?servers=replace`],
      ['GET', '/v3/user'],
      ['GET', '/v3/token'],
      ['GET', '/v3/client'],
      ['GET', '/v3/audit'],
      ['POST', `/v3/client/${client.client_id}/role`],
      ['PUT', `/v3/client/${client.client_id}/kind`],
    ] as const)
      expect([path, (await almanac.call(method, path, { token })).status]).toEqual([path, 403]);
  });

  it('owns the stacks that it creates, for conditions of roles', async () => {
    const client = await make('service');
    const scope = JSON.stringify({
      Version: '2017-05-05',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['cred:*', 'vendor:*', 'stack:describeStacks'],
          Resource: ['*'],
        },
        {
          Effect: 'Allow',
          Action: ['template:*', 'stack:describeStack', 'stack:deleteStack'],
          Resource: ['*'],
          Condition: { ownerFilter: { username: ['_SUBUSER_'] } },
        },
      ],
    });
    await attach(client, await caller.makeRole('own stacks', scope));
    const token = String((await askToken(client, 'client_credentials')).body.access_token);
    const own = await almanac.applyTemplate(undefined, token);
    const listed = await almanac.call<Json[]>('GET', '/v3/alm/stack', { token });
    expect(listed.body.map(({ stack_id }) => stack_id)).toEqual([own]);
    expect((await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token })).status).toBe(
      404,
    );
    expect((await almanac.call('DELETE', `/v3/alm/stack/${own}?servers=replace`, { token })).status).toBe(
      200,
    );
  });

  it('loses a right as soon as the role is detached, changed or deleted', async () => {
    const client = await make('service');
    const token = String((await askToken(client, 'client_credentials')).body.access_token);
    const role_id = await caller.makeRole('short', scopeAllowing('stack:describe*'));
    await attach(client, role_id);
    await attach(client, 'admin');
    const rolesOf = async () =>
      (await caller.call<Json[]>('GET', '/v3/client')).body.find(
        (each) => each.client_id === client.client_id,
      )?.roles;
    expect(await rolesOf()).toEqual(expect.arrayContaining([role_id, 'admin']));
    const detach = (id: string) => caller.call('DELETE', `/v3/client/${client.client_id}/role/${id}`);
    expect((await detach('admin')).body).toMatchObject({ status: 'success', role_id: 'admin' });
    expect((await detach('admin')).status).toBe(404);
    expect((await v3Route(token)).status).toBe(200);
    await caller.call('DELETE', `/v3/role/${role_id}`);
    expect((await v3Route(token)).status).toBe(403);
    expect(await rolesOf()).toEqual([]);
  });

  it('is the only kind that has roles', async () => {
    for (const kind of ['sign-in', 'agent', 'owner'] as const)
      expect((await attach(await make(kind), 'admin')).body).toMatchObject({ error: 'conflict' });
    expect((await attach(await make('service'), 'unknown')).status).toBe(404);
  });
});

describe('changing the kind of a client', () => {
  const change = (client: Client, kind: string, token?: string) =>
    caller.call('PUT', `/v3/client/${client.client_id}/kind`, {
      json: { kind },
      ...(token === undefined ? {} : { token }),
    });

  it('revokes every token that was issued through the client, and the new kind decides at once', async () => {
    const client = await make('owner');
    const own = (await askToken(client, 'client_credentials')).body.access_token;
    const users = (await askToken(client, 'password')).body.access_token;
    const answer = await change(client, 'sign-in');
    expect(answer.body).toEqual({ status: 'success', client_id: client.client_id, kind: 'sign-in' });
    expect([await caller.works(own), await caller.works(users)]).toEqual([false, false]);
    expect((await askToken(client, 'client_credentials')).status).toBe(400);
    expect((await askToken(client, 'password')).status).toBe(200);
  });

  it('detaches the roles, so that a client that becomes a service again may do nothing', async () => {
    const client = await serviceWith('stack:describe*');
    await change(client, 'agent');
    await change(client, 'service');
    const token = String((await askToken(client, 'client_credentials')).body.access_token);
    expect((await v3Route(token)).status).toBe(403);
  });

  it('during sign-ins leaves no token with the rights of the old kind', async () => {
    const client = await make('owner');
    const [changed, ...answers] = await Promise.all([
      change(client, 'agent'),
      ...[1, 2, 3, 4].map(() => askToken(client, 'client_credentials')),
    ]);
    expect(changed?.status).toBe(200);
    for (const { body } of answers)
      if (typeof body.access_token === 'string')
        expect((await v2Route(body.access_token)).status).not.toBe(200);
  });

  it('is refused to users, to clients and to other accounts', async () => {
    const client = await make('sign-in');
    const { token } = await caller.makeUser('climber');
    expect((await change(client, 'owner', token)).status).toBe(403);
    expect((await change(client, 'owner', await almanac.clientToken())).status).toBe(403);
    expect((await change(client, 'owner', await almanac.otherAccountToken())).status).toBe(404);
    expect((await askToken(client, 'client_credentials')).status).toBe(400);
  });
});
