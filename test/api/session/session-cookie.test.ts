import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../../src/contract/route.ts';
import { v2Routes } from '../../../src/contract/v2.ts';
import { v3Routes } from '../../../src/contract/v3.ts';
import { type TableName, tableNames } from '../../../src/store/database/backup.ts';
import { useServedAlmanac } from '../served-almanac.ts';
import { type Headers, ownPage, SessionBrowser, sendExactly } from './session-browser.ts';

const almanac = useServedAlmanac();
const routes: readonly Route[] = [...v2Routes, ...v3Routes];
let stackId: string;
const ann = new SessionBrowser(almanac);
beforeAll(async () => {
  stackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
  await ann.signIn();
});

const host = () => new URL(almanac.url).host;
const pathOf = (route: Route) => route.path.replace('{stack_id}', stackId).replace(/\{\w+\}/g, 'some-id');
const isForUsers = ({ access }: Route) => access !== 'public' && access !== 'agent';

/** What browsers send from pages that are not ours. */
const foreignPages: [string, () => Headers][] = [
  ['another site', () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })],
  ['another port of this host', () => ({ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' })],
  ['the address bar', () => ({ 'sec-fetch-site': 'none' })],
  ['another site that names our origin', () => ({ 'sec-fetch-site': 'cross-site', origin: almanac.url })],
];

describe('a cookie does not count on the request of', () => {
  it.each(foreignPages)('%s', async (_, page) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await ann.send(method, `/v3/alm/stack/${stackId}`, { page: page() });
      expect([method, answer.status]).toEqual([method, 401]);
      expect(answer.body.message).toBe('The session cookie counts only for requests of the console itself');
    }
    expect((await almanac.describe(stackId)).stack_status).toBe('CREATE_COMPLETE');
  });

  it.each(foreignPages)('%s that signs out or renews', async (_, page) => {
    expect((await ann.send('DELETE', '/v3/session', { page: page() })).status).toBe(401);
    expect((await ann.send('POST', '/v3/session/renew', { page: page() })).status).toBe(401);
    expect((await ann.send('GET', '/v3/session', { page: page() })).body.user).toBeNull();
    expect((await ann.send('GET', '/v3/session')).body.user).toMatchObject({ name: 'root' });
  });

  it.each(foreignPages)('%s that signs in', async (_, page) => {
    const answer = await new SessionBrowser(almanac).signIn({}, page());
    expect([answer.status, answer.cookies]).toEqual([403, []]);
  });
});

describe('without Sec-Fetch-Site, as over plain http from another machine', () => {
  const remove = (page: Headers) => ann.send('DELETE', '/v3/alm/stack/mo-none', { page });

  it('a change counts only with our own origin', async () => {
    for (const origin of ['https://evil.example', 'http://127.0.0.1:9', 'null', `https://${host()}`])
      expect([origin, (await remove({ origin })).status]).toEqual([origin, 401]);
    expect((await remove({})).status).toBe(401);
    expect((await remove({ origin: almanac.url })).status).toBe(404);
  });

  it('the origin may be that of the Host header, which no foreign page can choose', async () => {
    const page = { host: 'almanac.example:8080', origin: 'http://almanac.example:8080' };
    expect((await remove(page)).status).toBe(404);
    expect((await remove({ ...page, origin: 'http://almanac.example:9090' })).status).toBe(401);
  });

  it('reading counts, unless the request names a foreign origin', async () => {
    expect((await ann.send('GET', '/v3/alm/stack', { page: {} })).status).toBe(200);
    expect((await ann.send('HEAD', '/v3/alm/stack', { page: {} })).status).toBe(200);
    expect((await ann.send('GET', '/v3/alm/stack', { page: { origin: 'null' } })).status).toBe(401);
  });
});

describe('over all routes', () => {
  it.each(
    routes.filter(isForUsers).map((route): [string, Route] => [`${route.method} ${route.path}`, route]),
  )('%s accepts no cookie from another port of the same host', async (_, route) => {
    const page = { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' };
    expect((await ann.send(route.method, pathOf(route), { page })).status).toBe(401);
  });

  it('routes of agents and token endpoints never read the cookie', async () => {
    for (const route of routes.filter(({ access }) => access === 'agent'))
      expect([route.path, (await ann.send(route.method, pathOf(route))).status]).toEqual([route.path, 401]);
    for (const path of ['/v2/access_token', '/v3/access_token', '/v3/revoke']) {
      const answer = await ann.send('POST', path, { json: { token: ann.token } });
      expect([path, answer.status]).toEqual([path, 400]);
    }
    expect((await ann.send('GET', '/v3/session')).body.user).not.toBeNull();
  });

  it('the unversioned routes of the ssh gateway never read the cookie', async () => {
    for (const path of ['/ttyurl', '/exec'])
      expect((await ann.send('POST', path, { json: {} })).status).toBe(401);
  });

  // Reads are recorded and tokens note their use. Sweeps, and these columns of a stack, are written whenever the loop looks at it.
  const otherTables: ReadonlySet<TableName> = new Set(['audit', 'access_tokens', 'sweeps']);
  const ofTheLoop = { next_at: 0, lease_until: 0, lease_owner: '', epoch: 0 };
  const withoutLoop = (row: object) => ('lease_owner' in row ? { ...row, ...ofTheLoop } : row);
  const snapshot = async () => {
    const { query } = almanac.service.database;
    const tables = tableNames.filter((name) => !otherTables.has(name));
    return Object.fromEntries(
      await Promise.all(
        tables.map(async (name) => [
          name,
          (await query.selectFrom(name).selectAll().execute()).map(withoutLoop),
        ]),
      ),
    );
  };

  it('a GET that a foreign page could send changes nothing', async () => {
    const before = await snapshot();
    const reads = routes.filter((route) => route.method === 'GET' && isForUsers(route));
    for (const route of reads) {
      const path = `${pathOf(route)}?stack_id=${stackId}`;
      const { status } = await ann.send('GET', path, { page: {} });
      if (route.changesOnGet) expect([route.path, status]).toEqual([route.path, 401]);
      else expect([401, 500], route.path).not.toContain(status);
      expect(await snapshot(), route.path).toEqual(before);
    }
    expect(reads.filter(({ changesOnGet }) => changesOnGet).map(({ path }) => path)).toEqual([
      '/v2/alm/pem',
      '/v3/alm/pem',
    ]);
  });

  it('no reply lets a foreign page read with the cookie', async () => {
    for (const route of routes) {
      const page = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      for (const method of ['OPTIONS', route.method]) {
        const answer = await ann.send(method, pathOf(route), { page });
        expect(answer.headers['access-control-allow-credentials'], route.path).toBeUndefined();
        expect(answer.headers['access-control-allow-origin'], route.path).toBe('*');
      }
    }
  });
});

it('a token in the header wins over the cookie, also if it is invalid', async () => {
  const other = await almanac.otherAccountToken();
  const answer = await ann.send('GET', '/v3/session', { page: { authorization: `Bearer ${other}` } });
  const own = await ann.send('GET', '/v3/session');
  expect(answer.body.user).not.toEqual(own.body.user);
  const invalid = { ...ownPage, authorization: 'Bearer made-up' };
  expect((await ann.send('GET', '/v3/alm/stack', { page: invalid })).status).toBe(401);
});

it('the name and password that a browser sends to a proxy do not hide the cookie', async () => {
  const page = { ...ownPage, authorization: 'Basic cHJveHk6cGFzc3dvcmQ=' };
  expect((await ann.send('GET', '/v3/alm/stack', { page })).status).toBe(200);
  expect((await ann.send('GET', '/v3/session', { page })).body.user).toMatchObject({ name: 'root' });
});

it('a terminal socket needs a ticket; the cookie opens none', async () => {
  const answer = await sendExactly(`${almanac.url}/v3/alm/terminal?ticket=made-up`, {
    method: 'GET',
    headers: {
      cookie: ann.cookie,
      ...ownPage,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
  expect([401, 403, 404]).toContain(answer.status);
});
