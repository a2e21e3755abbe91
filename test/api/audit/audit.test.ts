import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAudit as listAuditRoute } from '../../../src/contract/v3/audit.ts';
import { eventually } from '../../http.ts';
import { type Answer, first, type Json, useServedAlmanac } from '../served-almanac.ts';

const almanac = useServedAlmanac();
let token: string;
let stackId: string;
let acts = 0;
beforeAll(async () => {
  token = await almanac.userToken();
  stackId = await almanac.applyTemplate();
  await almanac.waitFor(stackId, 'CREATE_COMPLETE');
});

const read = (query = '') => almanac.call<Json[]>('GET', `/v3/audit${query}`, { token });
const named = (id: string) => ({ 'x-request-id': id });
const exported = (query = '') =>
  fetch(`${almanac.url}/v3/audit/export${query}`, { headers: { authorization: `Bearer ${token}` } });
const entryOf = async (requestId: string): Promise<Json | undefined> =>
  (await read('?limit=1000')).body.find((entry) => entry.request_id === requestId);

describe('recorded calls', () => {
  it('a change is recorded immediately', async () => {
    const headers = named('the-update');
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { token, headers });
    expect(await entryOf('the-update')).toEqual({
      account_id: expect.any(String),
      action: 'stack:deleteStack',
      actor: 'root',
      actor_kind: 'user',
      address: '127.0.0.1',
      client_id: first.client_id,
      client_kind: 'owner',
      decision: 'allowed',
      detail: expect.stringMatching(/^released data: data-\S+ \(i-\S+\) delete$/),
      number: expect.any(Number),
      owner: 'root',
      request_id: 'the-update',
      resource: `mrn:alm:stack:${stackId}`,
      route: 'v3DeleteStack',
      status: 200,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('a read is recorded soon after, wherever the request names its stack', async () => {
    await almanac.call('GET', `/v3/alm/template?stack_id=${stackId}`, { token, headers: named('a-read') });
    const entry = await eventually(
      () => entryOf('a-read'),
      (found) => found !== undefined,
    );
    expect(entry).toMatchObject({ resource: `mrn:alm:stack:${stackId}`, route: 'v3ListTemplateVersions' });
  });

  it('failed calls are recorded: denied, not found, malformed', async () => {
    const agent = await almanac.clientToken();
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, {
      token: agent,
      headers: named('denied'),
    });
    await almanac.call('DELETE', '/v3/alm/stack/mo-none', { token, headers: named('not-there') });
    const raw = '{"secret": "4711-secret';
    await almanac.call('POST', '/v3/sandbox/fault', { token, raw, headers: named('unreadable') });
    expect(await entryOf('denied')).toMatchObject({ decision: 'denied', status: 403, actor_kind: 'client' });
    expect(await entryOf('not-there')).toMatchObject({ decision: 'allowed', status: 404, owner: '' });
    expect(await entryOf('unreadable')).toMatchObject({
      status: 400,
      action: 'master',
      resource: '/v3/sandbox/fault',
    });
  });

  it('no secret is recorded, nor any value that is not a stack id', async () => {
    const json = { kind: 'clear', stack_id: 'not a stack but 4711-secret' };
    await almanac.call('POST', '/v3/sandbox/fault?password=4711-secret', { token, json });
    const text = await (await exported()).text();
    expect(text).toContain('/v3/sandbox/fault');
    expect(text).not.toContain('4711-secret');
    expect(text).not.toContain(token);
  });

  it.each<[method: string, path: string, json: object | undefined, resource: string]>([
    ['POST', '/v3/user', { username: 'a@b.test', password: 'walnut ferry-4711' }, 'mrn:alm:user:a@b.test'],
    ['DELETE', '/v3/user/nobody', undefined, 'mrn:alm:user:nobody'],
    ['DELETE', '/v3/user/nobody?stack_id=mo-1&role_id=r', undefined, 'mrn:alm:user:nobody'],
    ['DELETE', '/v3/role/r-1', undefined, 'mrn:alm:role:r-1'],
    [
      'POST',
      '/v3/user/role',
      { username: 'nobody', role_id: 'admin' },
      'mrn:alm:user:nobody mrn:alm:role:admin',
    ],
    ['DELETE', '/v3/user/role/r-1?username=nobody', undefined, 'mrn:alm:user:nobody mrn:alm:role:r-1'],
    ['DELETE', '/v3/user/role/r-1?username=bob', { username: 'ann' }, 'mrn:alm:user:ann mrn:alm:role:r-1'],
    ['DELETE', '/v3/client/lg-1', undefined, 'mrn:alm:client:lg-1'],
    ['DELETE', '/v3/token/aToken', undefined, 'mrn:alm:token:aToken'],
    ['DELETE', '/v3/token/alm_0123456789', undefined, '/v3/token/{token_id}'],
    ['DELETE', '/v3/credentials/AWS', { credential_id: 'AKIA1' }, 'mrn:vendor:aws:cred:AKIA1'],
    ['DELETE', '/v3/credentials?vendor=K5Cloud&credential_id=A1', undefined, 'mrn:vendor:k5:cred:A1'],
    ['POST', '/v3/credentials', { vendor: 'aws', credentials: { SecretKey: 's' } }, 'mrn:vendor:aws'],
    ['POST', '/v3/role/explain', { username: 'nobody', action: 'stack:x' }, '/v3/role/explain'],
  ])('the resource of %s %s %j is recorded', async (method, path, json, resource) => {
    const id = `acting-${(acts += 1)}`;
    await almanac.call(method, path, { token, headers: named(id), ...(json ? { json } : {}) });
    expect(await entryOf(id)).toMatchObject({ resource, owner: '' });
  });

  it('the container of a read is recorded', async () => {
    await almanac.call('GET', '/v3/alm/container/c-1', { token, headers: named('container') });
    const entry = await eventually(
      () => entryOf('container'),
      (found) => found !== undefined,
    );
    expect(entry).toMatchObject({ resource: 'mrn:alm:container:c-1' });
  });

  it('a user that calls an agent route is recorded', async () => {
    const living = await almanac.applyTemplate();
    const json = { stack_id: living, agent_id: 'agent-1', status: 'running' };
    await almanac.call('POST', '/v3/alm/agent/agent_status', { token, json, headers: named('as-agent') });
    const resource = `mrn:alm:stack:${living}`;
    expect(await entryOf('as-agent')).toMatchObject({ action: 'agent', actor_kind: 'user', resource });
  });

  it('unauthenticated, agent and public calls are not recorded', async () => {
    const headers = named('not-recorded');
    await almanac.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`, { headers });
    await almanac.call('GET', '/healthz', { headers });
    await almanac.call('POST', '/v3/access_token', { json: {}, headers });
    const living = await almanac.applyTemplate();
    const json = { stack_id: living, agent_id: 'agent-1', status: 'running' };
    const agent = await almanac.stackToken(living);
    const report = await almanac.call('POST', '/v3/alm/agent/agent_status', { token: agent, json, headers });
    expect(report.status).toBe(202);
    expect(await entryOf('not-recorded')).toBeUndefined();
  });

  it('reading the audit log is recorded', async () => {
    await almanac.call('GET', '/v3/audit?limit=1', { token, headers: named('curious') });
    const entry = await eventually(
      () => entryOf('curious'),
      (found) => found !== undefined,
    );
    expect(entry).toMatchObject({ route: listAuditRoute.name, action: 'master', resource: '/v3/audit' });
  });
});

describe('reading the audit log', () => {
  it('the audit log is limited to the account and to its master', async () => {
    const other = await almanac.otherAccountToken();
    const answer = await almanac.call<Json[]>('GET', '/v3/audit', { token: other });
    expect(answer.body.filter(({ actor }) => actor === 'root')).toEqual([]);
    expect((await almanac.call('GET', '/v3/audit', { token: await almanac.clientToken() })).status).toBe(403);
  });

  it('the audit log has pages, newest first, each with a link to the next', async () => {
    const seen: number[] = [];
    for (let page: string | undefined = '?limit=3&action=stack:deleteStack'; page !== undefined; ) {
      const answer: Answer<Json[]> = await read(page);
      seen.push(...answer.body.map((entry) => Number(entry.number)));
      page = /^<\/v3\/audit(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ['actor=root', ({ actor }: Json) => actor === 'root'],
    ['decision=denied', ({ decision }: Json) => decision === 'denied'],
    ['action=stack:deleteStack', ({ action }: Json) => action === 'stack:deleteStack'],
    ['resource=/v3/sandbox/fault', ({ resource }: Json) => resource === '/v3/sandbox/fault'],
  ])('the audit log is filtered by %s', async (filter, fits) => {
    const all = (await read('?limit=1000&to=2999-01-01')).body;
    const found = (await read(`?limit=1000&${filter}`)).body;
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(fits)).toBe(true);
    const missed = all.filter((entry) => fits(entry) && !found.some(({ number }) => number === entry.number));
    expect(missed).toEqual([]);
  });

  it('the audit log is filtered by time, from inclusive, to exclusive', async () => {
    const [entry] = (await read('?action=stack:deleteStack&limit=1')).body;
    const time = String(entry?.time);
    const numbers = async (query: string) => (await read(query)).body.map(({ number }) => number);
    expect(await numbers(`?from=${time}&limit=1000`)).toContain(entry?.number);
    expect(await numbers(`?to=${time}&limit=1000`)).not.toContain(entry?.number);
    expect(await numbers(`?from=${time.replace('Z', '+00:00')}&limit=1000`)).toContain(entry?.number);
  });

  it.each(['from=yesterday', 'to=2030-01-01T00:00:00', 'limit=1001', 'decision=perhaps', 'cursor=mine'])(
    'the audit log rejects %s',
    async (query) => {
      expect((await read(`?${query}`)).status).toBe(400);
    },
  );
});

describe('the audit export', () => {
  it('the audit export is newline-delimited JSON, oldest first, with hashes that can be verified', async () => {
    const answer = await exported();
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const entries = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    let previous = '';
    for (const [index, { hash, ...entry }] of entries.entries()) {
      expect(entry.number).toBe(index + 1);
      const sorted = Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      previous = createHash('sha256')
        .update(previous + JSON.stringify(sorted))
        .digest('hex');
      expect(hash).toBe(previous);
    }
  });

  it('the audit export accepts the same filters', async () => {
    const lines = (await (await exported('?decision=denied')).text()).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain('"decision":"denied"');
    expect(await (await exported('?actor=nobody')).text()).toBe('');
    expect((await exported('?from=never')).status).toBe(400);
  });
});
