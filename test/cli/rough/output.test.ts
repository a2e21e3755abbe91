import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AlmUser, firstStack } from '../alm.ts';
import { FakeServer, sendError, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

const stack = (nickname: string) => ({
  stack_id: 'mo-1',
  nickname,
  stack_status: 'CREATE_COMPLETE',
  create_time: '2026-01-01T00:00:00Z',
  configuration: {},
});
const hostile = 'before\u202Eafter\u2066\tthe tab\u2029';
const template = {
  version: '2017-03-03',
  label: 'first',
  launched: '2017-03-03T10:00:00Z',
  spaced: '2017-3-3 10:00:00',
  count: 3,
};
const client = { client_id: 'lg-1', client_secret: 'the-new-secret' };

/** A fake server: a stack with control characters in its nickname, a template with dates, API clients. */
let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start(({ method, path }, response) => {
    if (path.startsWith('/v3/client')) return sendJson(response, 200, client);
    if (path.startsWith('/v3/alm/template/')) return sendJson(response, 200, template);
    if (path === '/v3/alm/stack') return sendJson(response, 200, [stack(hostile)]);
    if (method === 'POST') return sendJson(response, 201, { stack_id: 'mo-1', version_id: '1' });
    return sendError(response, 404, 'It does not exist');
  });
});
beforeEach(() => void (user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' })));
afterEach(() => {
  server.requests.splice(0);
  user.close();
});
afterAll(() => server.close());

const run = (...args: string[]) => runBriefly(user, args);
const inHome = (name: string): string => join(user.home, name);
const modeOf = (name: string): number => statSync(inHome(name)).mode & 0o777;

describe('--out', () => {
  it.each([
    ['client', 'rotate', 'lg-1'],
    ['client', 'create', 'build server'],
    ['stack', 'create', '--alm-template', firstStack],
    ['stack', 'list'],
    ['audit', 'export'],
    ['user', 'create', 'ann', '--password', 'a-long-password'],
  ])('reports an output file that cannot be written before any request: %s %s', async (...args) => {
    const { code, stdout, stderr } = await run(...args, '--out', 'no/such/place.json');
    expect([code, stdout, server.calls]).toEqual([1, '', []]);
    expect(stderr).toContain('Cannot write no/such/place.json');
  });

  it('reports a directory as output file before any request', async () => {
    const { code, stderr } = await run('client', 'rotate', 'lg-1', '--out', '.');
    expect([code, server.calls]).toEqual([1, []]);
    expect(stderr).toContain('Cannot write .');
  });

  it('--out - is standard output', async () => {
    const { code, stdout } = await run('stack', 'list', '--out', '-');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^STACK ID/)]);
    expect((await run('stack', 'list', '-o', '-', '--fmt', 'min')).stdout).toContain('"stack_id":"mo-1"');
    expect(readdirSync(user.home)).toEqual([]);
  });

  it.each([['--out', ''], ['--out='], ['-o', '']])('rejects an empty file name: %j', async (...written) => {
    const { code, stdout, stderr } = await run('stack', 'list', ...written);
    expect([code, stdout, server.calls]).toEqual([2, '', []]);
    expect(stderr).toContain('--out');
  });

  it('a new output file is readable by its owner only', async () => {
    expect((await run('stack', 'list', '--out', 'list.txt')).code).toBe(0);
    expect(modeOf('list.txt')).toBe(0o600);
    expect((await run('client', 'create', 'x', '--out', 'client.json')).code).toBe(0);
    expect(modeOf('client.json')).toBe(0o600);
  });

  it('an existing output file becomes private only for secrets', async () => {
    for (const name of ['client.json', 'list.txt']) {
      writeFileSync(inHome(name), 'longer than the new content, and gone afterwards'.repeat(20));
      chmodSync(inHome(name), 0o644);
    }
    const made = await run('client', 'rotate', 'lg-1', '--out', 'client.json');
    expect(made).toMatchObject({ code: 0, stdout: '' });
    expect(made.stderr).not.toContain(client.client_secret);
    expect(JSON.parse(readFileSync(inHome('client.json'), 'utf8'))).toEqual(client);
    expect(modeOf('client.json')).toBe(0o600);
    expect((await run('stack', 'list', '--out', 'list.txt')).code).toBe(0);
    expect(modeOf('list.txt')).toBe(0o644);
  });

  it('an error response does not change the output file', async () => {
    writeFileSync(inHome('kept.txt'), 'as it was\n');
    expect((await run('stack', 'describe', 'mo-none', '--out', 'kept.txt')).code).toBe(6);
    expect(readFileSync(inHome('kept.txt'), 'utf8')).toBe('as it was\n');
    expect((await run('stack', 'describe', 'mo-none', '--out', 'new.txt')).code).toBe(6);
    expect(existsSync(inHome('new.txt'))).toBe(false);
  });
});

describe('YAML', () => {
  it('YAML output quotes strings that YAML 1.1 reads as dates', async () => {
    const { code, stdout } = await run('template', 'describe', 'mo-1', '--fmt', 'yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('version: "2017-03-03"\n');
    for (const version of ['1.1', '1.2'] as const) expect(parse(stdout, { version })).toEqual(template);
  });
});

describe('a table', () => {
  it('a table contains no direction or line control characters', async () => {
    const { code, stdout } = await run('stack', 'list');
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\t\u2028\u2029\u202A-\u202E\u2066-\u2069]/);
    expect(stdout).toMatch(/mo-1 +beforeafter ?the tab/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('JSON output keeps control characters', async () => {
    const { stdout } = await run('stack', 'list', '--fmt', 'json');
    expect(JSON.parse(stdout)).toEqual([stack(hostile)]);
  });
});

describe('--verbose', () => {
  it('--verbose prints the duration of a failed request', async () => {
    const { code, stderr } = await run('stack', 'describe', 'mo-none', '--verbose');
    expect(code).toBe(6);
    expect(stderr).toContain('[STATUS] 404 Not Found');
    expect(stderr).toMatch(/Elapsed time: \d+ms/);
  });
});
