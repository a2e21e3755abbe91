import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { login } from '../../e2e/almanac-process.ts';
import { eventually, type Json } from '../../http.ts';
import type { AlmUser } from '../alm.ts';
import { header, PeopleWorld, payload, rowOf, tableTime } from './world.ts';

let world: PeopleWorld;
let root: AlmUser;
beforeAll(async () => {
  world = await PeopleWorld.start();
  root = world.root;
});
const between: Server[] = [];
afterAll(async () => {
  for (const server of between) server.close();
  await world.close();
});

/** Starts a server between `alm` and Almanac. Returns its URL. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  between.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Forwards to Almanac with a smaller page size. */
const inSmallPages: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '', world.served.server.url);
  url.searchParams.set('limit', String(Math.min(10, Number(url.searchParams.get('limit')))));
  const headers = { authorization: request.headers.authorization ?? '' };
  void fetch(url, { headers }).then(async (answer) => {
    const cursor = answer.headers.get('x-next-cursor');
    response.writeHead(answer.status, cursor === null ? {} : { 'x-next-cursor': cursor });
    response.end(await answer.text());
  });
};

describe('API clients', () => {
  const shownOnce = '[alm]: info: The secret is shown only once. Store it in a safe place.\n';
  const asClient = async (id: string, secret: string) =>
    (await world.signIn({ grant_type: 'client_credentials', client_id: id, client_secret: secret })).status;

  it('the secret of an API client is valid until it is rotated or the client is deleted', async () => {
    const created = await root.run(['client', 'create', 'build server', '--kind', 'service']);
    expect(created).toMatchObject({ code: 0, stderr: payload + shownOnce });
    const { client_id: id = '', client_secret: secret = '' } = JSON.parse(created.stdout) as Record<
      string,
      string
    >;
    expect(await asClient(id, secret)).toBe(200);

    const listed = await root.run(['client', 'list']);
    expect(header(listed.stdout)).toEqual(['CLIENT ID', 'LABEL', 'KIND', 'ROLES', 'USERS', 'CREATED']);
    expect(rowOf(listed.stdout, id)?.slice(0, 3)).toEqual([id, 'build server', 'service']);
    const clients = await world.get('/v3/client');
    expect(await root.json(['client', 'list', '--fmt', 'raw'])).toEqual(clients);
    expect(parse((await root.run(['client', 'list', '--fmt', 'yaml'])).stdout)).toEqual(clients);

    const rotated = await root.run(['client', 'rotate', '--client-id', id, '--out', 'secret.json']);
    expect(rotated).toMatchObject({ code: 0, stdout: '' });
    const file = join(root.home, 'secret.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { client_secret: next } = JSON.parse(readFileSync(file, 'utf8')) as { client_secret: string };
    expect([await asClient(id, secret), await asClient(id, next)]).toEqual([401, 200]);

    expect(await root.json(['client', 'delete', id])).toEqual({ status: 'success', client_id: id });
    expect(await asClient(id, next)).toBe(401);
    expect((await root.run(['client', 'rotate', id])).code).toBe(6);
    expect((await root.run(['client', 'delete', id])).code).toBe(6);
    expect((await root.run(['client', 'create'])).code).toBe(2);
  });

  it('a service client may do what the roles attached to it allow', async () => {
    const { client_id: id = '' } = await root.json<Json>(['client', 'create', 'robot', '--kind', 'service']);
    await root.json(['client', 'attach', String(id), 'admin']);
    const listed = await root.json<Json[]>(['client', 'list', '--fmt', 'json']);
    expect(listed.find(({ client_id }) => client_id === id)).toMatchObject({
      kind: 'service',
      roles: ['admin'],
    });
    expect((await root.run(['client', 'detach', String(id), 'admin'])).code).toBe(0);
    expect((await root.run(['client', 'detach', String(id), 'admin'])).code).toBe(6);
    await root.json(['client', 'kind', String(id), 'agent']);
    expect((await root.run(['client', 'attach', String(id), 'admin'])).code).toBe(7);
    expect((await root.run(['client', 'kind', String(id), 'god'])).code).toBe(2);
  });

  it('the list warns about an owner client that users other than the master know', async () => {
    await world.newUser('eve');
    const { stderr } = await root.run(['client', 'list']);
    expect(stderr).toContain(`[alm]: warning: ${login.client_id}: Users other than the master sign in`);
    expect(stderr).toContain('eve');
  });

  it('only the master manages API clients', async () => {
    const fay = await world.newUser('fay');
    expect(await fay.run(['client', 'list'])).toMatchObject({ code: 5, stdout: '' });
    expect((await fay.run(['client', 'create', 'mine'])).code).toBe(5);
  });
});

describe('the audit log', () => {
  it('the audit log is listed newest first, with filters', async () => {
    const gus = await world.newUser('gus');
    await gus.run(['audit', 'list']);
    const denied = await eventually(
      () => root.run(['audit', 'list', '--actor', 'gus', '--decision', 'denied']),
      ({ stdout }) => stdout.includes('/v3/audit'),
    );
    expect(header(denied.stdout)).toEqual([
      'TIME',
      'ACTOR',
      'ACTION',
      'RESOURCE',
      'DECISION',
      'STATUS',
      'ADDRESS',
    ]);
    const [, ...rows] = denied.stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {5,}/))).toEqual([
      [expect.stringMatching(tableTime), 'gus', 'master', '/v3/audit', 'denied', '403', '127.0.0.1'],
    ]);
    const entries = await root.json<Json[]>(['audit', 'list', '--limit', '3', '--fmt', 'json']);
    expect(entries).toHaveLength(3);
    expect((await root.run(['audit', 'list', '--to', '2001-01-01T00:00:00Z'])).stdout).toBe(
      'TIME     ACTOR     ACTION     RESOURCE     DECISION     STATUS     ADDRESS\n',
    );
    expect((await root.run(['audit', 'list', '--from', 'yesterday'])).code).toBe(1);
    expect((await root.run(['audit', 'list', '--decision', 'perhaps'])).code).toBe(2);
    expect((await gus.run(['audit', 'export'])).code).toBe(5);
  });

  it('audit list reads as many pages as necessary', async () => {
    await Promise.all(Array.from({ length: 30 }, () => world.get('/v3/user/role')));
    await eventually(
      () => world.get<Json[]>('/v3/audit?resource=/v3/user/role'),
      (found) => found.length === 30,
    );
    const address = await listen(inSmallPages);
    const list = ['audit', 'list', '--url', address, '--resource', '/v3/user/role', '--limit'];
    const some = await root.json<Json[]>([...list, '25', '--fmt', 'json']);
    const all = await world.get<Json[]>('/v3/audit?resource=/v3/user/role');
    expect(some).toEqual(all.slice(0, 25));
    expect(await root.json([...list, '50', '--fmt', 'raw'])).toEqual(all);
    expect((await root.run([...list, '1000'])).stdout.trimEnd().split('\n')).toHaveLength(31);
  });

  it('audit export writes the entries unchanged to standard output or a file', async () => {
    const until = ['--action', 'master', '--resource', '/v3/client'];
    const exported = await root.run(['audit', 'export', ...until]);
    const path = '/v3/audit?action=master&resource=/v3/client';
    const entries = exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.toReversed()).toEqual(await world.get(path));
    const saved = await root.run(['audit', 'export', ...until, '--out', 'audit.ndjson']);
    expect(saved).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '[alm]: info: Output written to audit.ndjson.\n',
    });
    expect(readFileSync(join(root.home, 'audit.ndjson'), 'utf8')).toBe(exported.stdout);
    await root.run(['audit', 'export', '--actor', 'nobody', '--out', 'audit.ndjson']);
    expect(readFileSync(join(root.home, 'audit.ndjson'), 'utf8')).toBe('');
  });

  it('audit check says that the log is intact, and ends with an error that names the first entry that is not', async () => {
    const intact = await root.run(['audit', 'check']);
    expect(intact.code).toBe(0);
    expect(header(intact.stdout)).toEqual(['INTACT', 'ENTRIES', 'LAST HASH']);
    expect(intact.stdout).toMatch(/\nyes +\d+ +\w{20}/);

    const problem = 'Entry 7 is not what was recorded.';
    const address = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ is_intact: false, entries: 6, problem }));
    });
    const broken = await root.run(['audit', 'check', '--url', address]);
    expect(broken.code).toBe(3);
    expect(broken.stdout).toMatch(/\nno +6 +-/);
    expect(broken.stderr).toContain(problem);
    expect(broken.stderr).toContain('Compare the log with an export or a backup from before.');
  });

  it('audit export fails when the connection is lost', async () => {
    const address = await listen((_request, response) => {
      response.setHeader('content-type', 'application/x-ndjson');
      response.write('{"number":1}\n', () => response.destroy());
    });
    const ended = await root.run(['audit', 'export', '--url', address]);
    expect(ended).toMatchObject({ code: 8, stdout: '{"number":1}\n' });
    expect(ended.stderr).toContain('Connection lost before the export was complete.');
  });
});
