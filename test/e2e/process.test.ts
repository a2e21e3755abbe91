import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settings } from '../../src/basics/config.ts';
import { makeTestPlace, onPostgres, type TestPlace } from '../open-database.ts';
import { oneServer } from '../world.ts';
import { AlmanacProcess, knownLogin, login, runAlmanac } from './almanac-process.ts';
import { sendInHalves } from './slow-request.ts';

let place: TestPlace;
let servers: AlmanacProcess[];
beforeEach(async () => {
  place = await makeTestPlace();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  await place.remove();
});

const serve = async (environment: Record<string, string> = knownLogin) => {
  const server = await AlmanacProcess.serve(place, environment);
  servers.push(server);
  return server;
};

const printedLogin = (stdout: string) => {
  const value = (name: string) => new RegExp(`${name}='([^']+)'`).exec(stdout)?.[1] ?? '';
  return {
    client_id: value('ALM_CLIENT_ID'),
    client_secret: value('ALM_CLIENT_SECRET'),
    username: value('ALM_USERNAME'),
    password: value('ALM_PASSWORD'),
  };
};

describe('starting', () => {
  it('prints the address of the console, and generated credentials that work, once and never again', async () => {
    const first = await serve({});
    const credentials = printedLogin(first.stdout);
    expect(first.stdout).toContain(`Web console: ${first.url}/console/`);
    expect(await first.userToken(credentials)).toMatch(/^alm_/);
    expect((await first.kill('SIGTERM')).code).toBe(0);
    const second = await serve({});
    expect(second.stdout).not.toContain(credentials.client_secret);
    expect(second.stdout).not.toContain(credentials.password);
    expect(printedLogin(second.stdout).password).toBe('');
    expect(await second.userToken(credentials)).toMatch(/^alm_/);
  });

  it.runIf(!onPostgres)('fails with an error message while another server uses the same data', async () => {
    await serve();
    const { code, stdout, stderr } = await runAlmanac(place, ['serve']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('almanac: Another Almanac server is using');
    expect(stderr).toContain('Stop it first, or use PostgreSQL (DATABASE_URL) for several servers.');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('fails with an error message if the sealing key is wrong', async () => {
    await (await serve()).kill('SIGTERM');
    const ALM_SECRET_KEY = randomBytes(32).toString('base64');
    const { code, stderr } = await runAlmanac(place, ['serve'], { ALM_SECRET_KEY });
    expect(code).toBe(1);
    expect(stderr).toContain('almanac: The secrets in this database are sealed with another key.');
    expect(stderr).not.toContain(ALM_SECRET_KEY);
  });

  it('fails with the same message if the key is lost, and does not create a new one', async () => {
    await (await serve()).kill('SIGTERM');
    const file = join(place.directory, 'secret.key');
    const key = readFileSync(file);
    rmSync(file);
    const { code, stderr } = await runAlmanac(place, ['serve']);
    expect(code).toBe(1);
    expect(stderr).toContain('almanac: The secrets in this database are sealed with another key.');
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, key);
    await serve();
  });

  it.each([
    [{ ALM_PORT: 'abc' }, 'almanac: ALM_PORT must be a number from 0 to 65535, not "abc".\n'],
    [
      { ALM_LOG: 'loud' },
      'almanac: ALM_LOG must be one of trace, debug, info, warn, error, silent, not "loud".\n',
    ],
    [{ ALM_SANDBOX_SPEED: '-1' }, 'almanac: ALM_SANDBOX_SPEED must be a number from 0 to 1000, not "-1".\n'],
  ])('fails with a one-line message for %j', async (environment, line) => {
    expect(await runAlmanac(place, ['serve'], environment)).toEqual({ code: 1, stdout: '', stderr: line });
  });

  it.each([
    [['dance'], 'almanac: Unknown command "dance". Run: almanac --help\n'],
    [['backup'], 'almanac: Missing argument. Usage: almanac backup <file>\n'],
  ])('prints an error for the command %j', async (args, line) => {
    expect(await runAlmanac(place, args)).toEqual({ code: 1, stdout: '', stderr: line });
  });

  it('fails with a one-line message if the port is in use', async () => {
    const port = new URL((await serve()).url).port;
    const elsewhere = await makeTestPlace();
    const { code, stderr } = await runAlmanac(elsewhere, ['serve'], { ALM_PORT: port });
    await elsewhere.remove();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^almanac: [^\n]*EADDRINUSE[^\n]*\n$/);
  });

  it('lists every command and setting with --help', async () => {
    const { code, stdout } = await runAlmanac(place, ['--help']);
    expect(code).toBe(0);
    for (const name of [...Object.keys(settings), 'almanac serve', 'almanac backup', 'almanac restore'])
      expect(stdout).toContain(name);
  });
});

describe('SIGTERM', () => {
  it('finishes the request in flight, exits with 0, and loses nothing', async () => {
    const server = await serve();
    const token = await server.userToken();
    const request = await sendInHalves(server.url, {
      path: '/v3/alm/template',
      token,
      body: JSON.stringify(oneServer()),
    });
    const ended = server.kill('SIGTERM');
    await request.untilNotListening();
    const answer = await request.sendRest();
    expect(answer).toContain('HTTP/1.1 201');
    expect((await ended).code).toBe(0);
    const stackId = /"stack_id":"([^"]+)"/.exec(answer)?.[1] ?? '';
    await (await serve()).waitFor(stackId, 'CREATE_COMPLETE');
  });
});

describe('the log of a busy run', () => {
  it('contains no secret', async () => {
    await (await serve()).kill('SIGTERM');
    const server = await serve({ ...knownLogin, ALM_LOG: 'trace' });
    const template = oneServer();
    const [layer] = template.configurations;
    const container = {
      container_image: 'shop/web:1',
      container_registry_username: 'shop',
      container_registry_password: 'registry-4711',
    };
    const vendor = { sandbox: { cred: 'MINE', region: 'ap-northeast-1', secret: 'vendor-4711' } };
    const stackId = await server.applyTemplate({
      ...template,
      vendor,
      configurations: [{ ...layer, container }],
    });
    const stack = await server.waitFor(stackId, 'CREATE_COMPLETE');
    await server.call('POST', '/v3/access_token', { json: { ...login, password: 'wrong-4711' } });
    await server.call('POST', '/v3/alm/template', { raw: '{"secret": "broken-4711' });
    await server.call('GET', '/v3/alm/stack?token=query-4711');
    await server.call('DELETE', `/v3/alm/stack/${stackId}?servers=replace`);
    await server.waitFor(stackId, 'DELETE_COMPLETE');
    const token = await server.userToken();
    const { stdout, stderr } = await server.kill('SIGTERM');
    expect(stdout).toContain('"route":"/v3/alm/template"');
    const key = readFileSync(join(place.directory, 'secret.key'), 'utf8').trim();
    const secrets = [token, stack.auth_token, key, login.client_secret, login.password, '4711'];
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  });
});
