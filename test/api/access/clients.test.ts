import { describe, expect, it } from 'vitest';
import { first, type Json, type Request, recordLog, useServedAlmanac } from '../served-almanac.ts';
import { AccessCaller, aTime, forbidden } from './access-caller.ts';
import { makeOtherAccount } from './other-account.ts';

const { log, lines: logged } = recordLog();
const almanac = useServedAlmanac({ log });
const caller = new AccessCaller(almanac);

interface Client {
  client_id: string;
  client_secret: string;
}

const create = (request: Request) => caller.call<Client & Json>('POST', '/v3/client', request);
/** An owner, which may use both grants, unless another kind is given. */
const make = async (label: string, kind = 'owner'): Promise<Client> => {
  const { client_id, client_secret } = (await create({ json: { label, kind } })).body;
  return { client_id, client_secret };
};
const listed = async () => (await caller.call<Json[]>('GET', '/v3/client')).body;
const remove = (id: string, request: Request = {}) => caller.call('DELETE', `/v3/client/${id}`, request);
const rotate = (id: string, request: Request = {}) =>
  caller.call<Client & Json>('POST', `/v3/client/${id}/rotate`, request);
const askToken = (client: Client) =>
  caller.call('POST', '/v3/access_token', { json: { ...client, grant_type: 'client_credentials' } });
const userTokenThrough = async (client: Client) =>
  (await caller.signIn(first.username, first.password, client)).body.access_token;

describe('creating an API client', () => {
  it('creating an API client returns the secret once, and it can be used to sign in', async () => {
    const answer = await create({ json: { label: 'build server', kind: 'service' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      status: 'success',
      client_id: expect.stringMatching(/^lg-/),
      kind: 'service',
      client_secret: expect.stringMatching(/^\w{30}$/),
    });
    expect((await askToken(answer.body)).status).toBe(200);
    expect(await listed()).toContainEqual({
      client_id: answer.body.client_id,
      label: 'build server',
      create_time: expect.stringMatching(aTime),
      kind: 'service',
      roles: [],
      users: [],
    });
    const rows = await almanac.service.database.query.selectFrom('api_clients').selectAll().execute();
    expect(JSON.stringify([rows, await listed(), logged])).not.toContain(answer.body.client_secret);
  });

  it('creating an API client accepts a form and requires a label', async () => {
    expect((await create({ form: { label: 'by form' } })).status).toBe(200);
    expect((await create({})).body).toMatchObject({ code: '1000', message: 'label not specified' });
    expect((await create({ json: { label: 'two\nlines' } })).status).toBe(400);
    expect((await create({ json: { label: 'x', kind: 'root' } })).body).toMatchObject({
      code: '1000',
      message: 'kind must be one of sign-in, agent, service, owner',
    });
  });
});

describe('deleting an API client', () => {
  it('deleting an API client revokes every token issued to it immediately', async () => {
    const client = await make('doomed');
    const own = (await askToken(client)).body.access_token;
    const users = await userTokenThrough(client);
    expect([await caller.works(own), await caller.works(users)]).toEqual([true, true]);
    const answer = await remove(client.client_id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ status: 'success', client_id: client.client_id });
    expect([await caller.works(own), await caller.works(users)]).toEqual([false, false]);
    expect((await askToken(client)).status).toBe(401);
    expect((await remove(client.client_id)).status).toBe(404);
  });

  it('deleting a client or changing its kind never ends tokens of other accounts', async () => {
    const { query } = almanac.service.database;
    const row = await query
      .selectFrom('api_clients')
      .selectAll()
      .where('id', '=', first.client_id)
      .executeTakeFirstOrThrow();
    const login = await makeOtherAccount(almanac.service, 'neighbour');
    const client = { client_id: 'alm', client_secret: undefined };
    const { body } = await caller.signIn('neighbour', login.password, client);
    // As an installation could have it from before the id was reserved.
    await query
      .insertInto('api_clients')
      .values({ ...row, id: 'alm' })
      .execute();
    expect((await caller.call('PUT', '/v3/client/alm/kind', { json: { kind: 'service' } })).status).toBe(200);
    expect(await caller.works(body.access_token)).toBe(true);
    expect((await remove('alm')).status).toBe(200);
    expect(await caller.works(body.access_token)).toBe(true);
  });

  it('the last API client of an account can be deleted, because users sign in without one', async () => {
    const login = await makeOtherAccount(almanac.service);
    const { username, password } = login;
    const token = String((await caller.signIn(username, password, login)).body.access_token);
    expect((await remove(login.client_id, { token })).status).toBe(200);
    const client = { client_id: 'alm', client_secret: undefined };
    expect((await caller.signIn(username, password, client)).status).toBe(200);
  });
});

describe('rotating a secret', () => {
  it('rotating a secret revokes the old one and the tokens of the client, and keeps tokens of users', async () => {
    const client = await make('turning');
    const own = (await askToken(client)).body.access_token;
    const users = await userTokenThrough(client);
    const answer = await rotate(client.client_id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({ status: 'success', client_id: client.client_id });
    expect(answer.body.client_secret).not.toBe(client.client_secret);
    expect([await caller.works(own), await caller.works(users)]).toEqual([false, true]);
    expect((await askToken(client)).status).toBe(401);
    expect((await askToken(answer.body)).status).toBe(200);
  });

  it('rotating a secret during sign-ins with the old one leaves no valid token', async () => {
    const client = await make('raced');
    const [rotated, ...tokens] = await Promise.all([
      rotate(client.client_id),
      ...[1, 2, 3, 4, 5].map(() => askToken(client)),
    ]);
    expect(rotated?.status).toBe(200);
    for (const { body } of tokens)
      if (body.access_token) expect(await caller.works(body.access_token)).toBe(false);
  });

  it('rotating the secret of an unknown API client returns 404', async () => {
    expect((await rotate('lg-unknown')).body).toMatchObject({ code: '0404', error: 'not_found' });
  });
});

describe('access to API clients', () => {
  it('only the master can manage API clients', async () => {
    const { token } = await caller.makeUser('ann');
    const { client_id } = await make('kept');
    const answers = [
      await create({ token, json: { label: 'x' } }),
      await caller.call('GET', '/v3/client', { token }),
      await remove(client_id, { token }),
      await rotate(client_id, { token }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject(forbidden);
    }
    expect((await listed()).map((client) => client.client_id)).toContain(client_id);
  });

  it('API clients of another account cannot be seen or changed', async () => {
    const token = await almanac.otherAccountToken();
    const client = await make('ours');
    expect((await remove(client.client_id, { token })).status).toBe(404);
    expect((await rotate(client.client_id, { token })).status).toBe(404);
    const others = await caller.call<Json[]>('GET', '/v3/client', { token });
    expect(others.body.map(({ label }) => label)).toEqual(['first']);
    expect((await askToken(client)).status).toBe(200);
  });
});
