import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomHex } from '../../src/basics/random.ts';
import { mysql, withData } from '../api/data/data-caller.ts';
import { callHttp, eventually, type Json } from '../http.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, type login, runAlmanac } from './almanac-process.ts';

let place: TestPlace;
let server: AlmanacProcess;
let acme: Created;
beforeAll(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place);
  acme = await create('Acme', '--username', 'ann');
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await place.remove();
});

const account = (...args: string[]) => runAlmanac(place, ['account', ...args]);

async function asJson<T = Json>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await account(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

type Created = typeof login & { account_id: string };
const create = (name: string, ...args: string[]) => asJson<Created>('create', name, ...args);

/** Names of accounts are unique, and a retried test finds the accounts of its first attempt. */
const fresh = (name: string): string => `${name} ${randomHex(6)}`;

const signIn = ({ client_id, client_secret, username, password }: typeof login) =>
  callHttp('POST', `${server.url}/v3/access_token`, {
    json: { client_id, client_secret, username, password, grant_type: 'password' },
  });

const tokenOf = async (created: Created) => String((await signIn(created)).body.access_token);

const call = async (created: Created, method: string, path: string, json?: object) =>
  callHttp(method, server.url + path, { token: await tokenOf(created), ...(json ? { json } : {}) });

async function createStack(created: Created, template: object = oneServer()): Promise<string> {
  const { body } = await call(created, 'POST', '/v3/alm/template', template);
  return String(body.stack_id);
}

async function waitFor(created: Created, stackId: string, status: string): Promise<void> {
  const token = await tokenOf(created);
  await eventually(
    async () => (await callHttp('GET', `${server.url}/v3/alm/stack/${stackId}`, { token })).body,
    (stack) => stack.stack_status === status,
  );
}

describe('almanac account, beside a running server', () => {
  it('an account is created with generated secrets, works at once, and sees nothing of other accounts', async () => {
    const printed = fresh('Printed');
    const { code, stdout } = await account('create', printed);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /ALM_USERNAME='root' ALM_PASSWORD='\w{20}'\n.*users sign in.*\n.*ALM_CLIENT_SECRET='\w{30}'\n/,
    );
    const stackId = await createStack(acme);
    expect((await call(acme, 'GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);
    expect((await server.call('GET', `/v3/alm/stack/${stackId}`)).status).toBe(404);
    const listed = await asJson<Json[]>('list');
    const named = listed.filter(({ name }) => ['', 'Acme', printed].includes(String(name)));
    expect(named.map(({ name, state }) => [name, state])).toEqual([
      ['', 'active'],
      ['Acme', 'active'],
      [printed, 'active'],
    ]);
    expect((await account('list')).stdout).toMatch(/^ACCOUNT ID +NAME +STATE +STACKS +USERS +CREATED\n/);
  });

  it('the password of the master user can be chosen in the environment, and is not printed', async () => {
    const chosen = { ALM_ACCOUNT_PASSWORD: 'chosen-master-password' };
    const { stdout, code } = await runAlmanac(
      place,
      ['account', 'create', fresh('Chosen'), '--json'],
      chosen,
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain('chosen-master-password');
    const created = { ...(JSON.parse(stdout) as Created), password: 'chosen-master-password' };
    expect((await signIn(created)).status).toBe(200);
  });

  it('a suspended account is refused by the running server, and works again when it is resumed', async () => {
    const name = fresh('Late payer');
    const created = await create(name);
    const token = await tokenOf(created);
    const { stdout } = await account('suspend', name);
    expect(stdout).toContain(`Account ${created.account_id} is suspended. Its stacks keep running.`);
    const path = `${server.url}/v3/alm/stack`;
    expect(await callHttp('GET', path, { token })).toMatchObject({
      status: 403,
      body: { code: '4001', message: 'The account is suspended; ask the operator' },
    });
    expect((await signIn(created)).status).toBe(403);
    expect((await account('suspend', name)).code).toBe(0);
    await account('resume', created.account_id);
    expect((await callHttp('GET', path, { token })).status).toBe(200);
  });

  it('an account with stacks is not deleted, and the refusal lists them', async () => {
    const created = await create(fresh('Busy'));
    const id = created.account_id;
    const stackId = await createStack(created);
    for (const args of [['--dry-run'], ['--confirm', id]]) {
      const { code, stderr } = await account('delete', id, ...args);
      expect(code).toBe(1);
      expect(stderr).toMatch(`has 1 stacks that are not deleted: ${stackId} (`);
    }
    expect((await call(created, 'GET', `/v3/alm/stack/${stackId}`)).status).toBe(200);
  });

  it('an account without stacks is deleted only after its id is repeated; its audit log remains', async () => {
    const gone = fresh('Gone');
    const created = await create(gone);
    const id = created.account_id;
    const stackId = await createStack(created);
    const token = await tokenOf(created);
    await call(created, 'DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    await waitFor(created, stackId, 'DELETE_COMPLETE');
    expect(await asJson('delete', gone, '--dry-run')).toMatchObject({
      account_id: id,
      rows: { users: 1, api_clients: 1, stacks: 1, versions: 1 },
    });
    for (const args of [[], ['--confirm', gone]]) {
      const { code, stderr } = await account('delete', gone, ...args);
      expect(code).toBe(1);
      expect(stderr).toContain(`almanac account delete ${id} --confirm ${id}`);
    }
    expect((await account('delete', gone, '--confirm', id)).code).toBe(0);
    expect((await callHttp('GET', `${server.url}/v3/alm/stack`, { token })).status).toBe(401);
    expect((await signIn(created)).body).toMatchObject({ error: 'invalid_client' });
    expect((await asJson<Json[]>('list', '--all')).map(({ name }) => name)).toContain(gone);
    expect((await asJson<Json[]>('list')).map(({ name }) => name)).not.toContain(gone);
    expect((await account('show', id)).code).toBe(1);
    expect((await runAlmanac(place, ['audit', 'verify'])).stdout).toContain(`account ${id}: `);
    expect((await create(gone)).account_id).not.toBe(id);
  });

  it('an account with kept data is deleted only with --forget-data, which prints where the data is', async () => {
    const created = await create(fresh('With data'));
    const id = created.account_id;
    const stackId = await createStack(created, withData({ rds: mysql }));
    await waitFor(created, stackId, 'CREATE_COMPLETE');
    await call(created, 'DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    await waitFor(created, stackId, 'DELETE_COMPLETE');
    const where = /data-\S+ \(DatabaseInstance \S+ of stack \S+: Simulated snapshot snap-\w+/;
    for (const args of [['--dry-run'], ['--confirm', id]]) {
      const { code, stderr } = await account('delete', id, ...args);
      expect(code).toBe(1);
      expect(stderr).toMatch(where);
      expect(stderr).toContain('--forget-data');
    }
    expect((await account('show', id)).code).toBe(0);
    expect((await account('delete', id, '--forget-data')).stderr).toMatch(where);
    const { code, stdout } = await account('delete', id, '--confirm', id, '--forget-data');
    expect(code).toBe(0);
    expect(stdout).toMatch(where);
  });

  it.each([
    [['create', 'Acme'], 'almanac: An account with the name "Acme" already exists\n'],
    [['create', '5f2b9c01d7e4a'], 'It must not have the format of an account id'],
    [['create', 'New', '--username', '../x'], 'username must be 1 to 64 letters'],
    [
      ['quota', 'Acme', '--versions', '2'],
      '--versions must be "default", 0 (no limit), or a whole number from 5',
    ],
    [['quota', 'Acme', '--stacks', '-1'], '--stacks'],
    [
      ['suspend', 'nobody'],
      'Account nobody does not exist. To see the accounts, run: almanac account list\n',
    ],
    [
      ['dance'],
      'Usage: almanac account <create|list|show|quota|suspend|resume|reset-password|reset-second-factor|delete> <account>',
    ],
    [['list', '--wrong'], "Unknown option '--wrong'"],
  ])('account %j fails with one clear error', async (args, message) => {
    const { code, stdout, stderr } = await account(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('a database that no server has used is refused', async () => {
    const empty = await makeTestPlace();
    const { code, stderr } = await runAlmanac(empty, ['account', 'create', 'Wrong place']);
    expect(code).toBe(1);
    expect(stderr).toContain('This database has no accounts. Start the server once');
    await empty.remove();
  });
});

describe.runIf(onPostgres)('almanac account, beside two servers', () => {
  it('both servers refuse a suspended account at once, and end its event streams within seconds', async () => {
    const second = await AlmanacProcess.serve(place);
    const created = await create(fresh('On two servers'));
    const stackId = await createStack(created);
    const token = await tokenOf(created);
    const headers = { authorization: `Bearer ${token}` };
    const streams = await Promise.all(
      [server, second].map(({ url }) => fetch(`${url}/v3/alm/stack/${stackId}/events/stream`, { headers })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await account('suspend', created.account_id);
    for (const { url } of [server, second])
      expect((await callHttp('GET', `${url}/v3/alm/stack`, { token })).status).toBe(403);
    const suspendedAt = performance.now();
    await Promise.all(streams.map((stream) => stream.text()));
    expect(performance.now() - suspendedAt).toBeLessThan(30_000);
    await second.kill('SIGTERM');
  });
});
