import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeServer, sendError, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

const long = 'a long text with many words '.repeat(12).trim();
const stack = { stack_id: 'mo-1', nickname: 'shop', stack_status: 'CREATE_COMPLETE', description: long };

let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start(({ method, path }, response) => {
    if (path === '/healthz') return sendJson(response, 200, { status: 'ok', version: '7.8.9' });
    if (path.includes('/v3/v3/')) return sendError(response, 404, 'No route');
    if (path.includes('mo-none')) return sendError(response, 404, 'Stack mo-none does not exist');
    if (path.includes('pem')) return sendError(response, 404, 'Layer Nope does not exist');
    if (path === '/empty') return void response.writeHead(202).end();
    return sendJson(response, 200, method === 'GET' ? [stack] : { status: 'success', stack_id: 'mo-1' });
  });
  user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' });
});
afterEach(() => void server.requests.splice(0));
afterAll(() => {
  server.close();
  user.close();
});

const run = (...args: string[]) => runBriefly(user, args);
const output = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return stdout;
};

describe('--query', () => {
  it('selects from the response: texts without quotes, other values as JSON, or in the format given', async () => {
    expect(await output('stack', 'list', '--query', '[0].nickname')).toBe('shop\n');
    expect(JSON.parse(await output('stack', 'list', '--query', '[].stack_id'))).toEqual(['mo-1']);
    expect(await output('stack', 'list', '--query', '[0].nickname', '--fmt', 'json')).toBe('"shop"\n');
    expect(await output('stack', 'list', '--query', '[].{id: stack_id}', '--fmt', 'yaml')).toBe(
      '- id: mo-1\n',
    );
    expect(await output('stack', 'list', '--query', '[0].missing')).toBe('null\n');
  });

  it('is refused where it is invalid, with a table, and for a command without a document', async () => {
    for (const args of [
      ['stack', 'list', '--query', '[0'],
      ['stack', 'list', '--query', '[0]', '--fmt', 'table'],
      ['completion', 'bash', '--query', 'x'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('--query');
    }
  });
});

describe('output for scripts', () => {
  it('--quiet leaves out messages, but not errors', async () => {
    expect(await run('stack', 'delete', 'mo-1', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await run('stack', 'describe', 'mo-none', '--quiet');
    expect(code).toBe(6);
    expect(stderr).toContain('Stack mo-none does not exist');
  });

  it('YAML has one line for each text, however long', async () => {
    expect(await output('stack', 'list', '--fmt', 'yaml')).toContain(`description: ${long}\n`);
  });

  it('version prints one line, and with a format the versions of alm and the server', async () => {
    const client = (await output('version')).trim();
    expect(JSON.parse(await output('version', '--fmt', 'json'))).toEqual({
      client,
      server: '7.8.9',
      url: server.url,
    });
    const { code, stdout, stderr } = await run('version', '--fmt', 'json', '--url', 'http://127.0.0.1:9');
    expect([code, (JSON.parse(stdout) as { server: null }).server]).toEqual([0, null]);
    expect(stderr).toContain('connection refused');
  });
});

describe('alm api', () => {
  it('sends fields as the query of GET, and as JSON or a form otherwise', async () => {
    await output('api', 'get', '/v3/alm/stack', '-F', 'limit=2', '-F', 'name=a,b');
    await output('api', 'POST', '/v3/x', '-F', 'count=3', '-F', 'text=a,b=c', '-F', 'on=true');
    await output('api', 'POST', '/v3/x', '-F', 'count=3', '--form');
    expect(server.calls).toEqual(['GET /v3/alm/stack?limit=2&name=a%2Cb', 'POST /v3/x', 'POST /v3/x']);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toEqual({ count: 3, text: 'a,b=c', on: true });
    expect(server.requests[2]?.body).toBe('count=3');
  });

  it('sends a file unchanged, and prints what a query selects', async () => {
    writeFileSync(join(user.home, 'stack.yaml'), 'version: 2017-03-03\n');
    const selected = await output(
      'api',
      'POST',
      '/v3/alm/template',
      '--input',
      'stack.yaml',
      '--query',
      'stack_id',
    );
    expect(selected).toBe('mo-1\n');
    expect(server.requests[0]).toMatchObject({
      contentType: 'application/x-yaml',
      body: 'version: 2017-03-03\n',
    });
    expect(await run('api', 'POST', '/empty')).toMatchObject({ code: 0, stdout: '' });
  });

  it('rejects a path without a slash, and has the exit codes of other commands', async () => {
    expect((await run('api', 'GET', 'v3/alm/stack')).code).toBe(2);
    expect((await run('api', 'GET', '//example.com/v3')).code).toBe(2);
    expect(server.calls).toEqual([]);
    expect((await run('api', 'GET', '/v3/alm/stack/mo-none')).code).toBe(6);
  });
});

describe('hints', () => {
  it('a URL with the API version says to drop it; only an unknown stack suggests the other version', async () => {
    const withVersion = await run('stack', 'list', '--url', `${server.url}/v3`);
    expect(withVersion.stderr).toContain(`Use: --url ${server.url}\n`);
    expect((await run('stack', 'describe', 'mo-none')).stderr).toContain('--apiver v2');
    const layer = await run('stack', 'pem', 'mo-1', '--flag', 'Nope');
    expect(layer.stderr).toContain('Layer Nope does not exist');
    expect(layer.stderr).not.toContain('--apiver');
  });

  it('https to a server without TLS says to use http', async () => {
    const { code, stderr } = await run('stack', 'list', '--url', server.url.replace('http:', 'https:'));
    expect(code).toBe(8);
    expect(stderr).toContain(`--url ${server.url}`);
  });
});
