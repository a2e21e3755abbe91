import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';

const bundle = join(mkdtempSync(join(tmpdir(), 'almanac-bundle-')), 'alm-agent.mjs');
/** Another Node to try it with: instances have older ones. */
const node = process.env.ALM_TEST_AGENT_NODE ?? process.execPath;

let almanac: ServedAlmanac;
let engine: Server;
let place: string;
let settingsFile: string;
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/bundle-agent.mjs', bundle]);
  almanac = await ServedAlmanac.start();
});
afterAll(async () => {
  await almanac.close();
  rmSync(join(bundle, '..'), { recursive: true });
});
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'almanac-run-'));
  settingsFile = join(place, 'agent.json');
  // A pretend engine that has nothing.
  engine = createServer((request, reply) => reply.end(request.url === '/_ping' ? 'OK' : '[]'));
  await new Promise<void>((done) => engine.listen(join(place, 'engine.sock'), done));
});
afterEach(async () => {
  await new Promise((done) => engine.close(done));
  rmSync(place, { recursive: true, force: true });
});

/** A layer without a container, so that being ready needs nothing but Almanac. */
async function writeSettings(): Promise<string> {
  const stackId = await almanac.applyTemplate();
  const { auth_token: token } = await almanac.describe(stackId);
  const settings = {
    server: almanac.url,
    stackId,
    flag: 'web0',
    token,
    instanceId: 'i-bundle',
    engine: join(place, 'engine.sock'),
    stateDirectory: join(place, 'state'),
    readyFile: join(place, 'ready'),
    pollSeconds: 0.1,
  };
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return String(token);
}

function run(...argv: string[]) {
  const child = spawn(node, [bundle, ...argv, '--settings', settingsFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join(''));
  const code = new Promise<number | null>((done) => child.on('exit', done));
  return { child, end: async () => ({ code: await code, said: await said }) };
}
const isReady = () =>
  eventually(
    async () => existsSync(join(place, 'ready')),
    (there) => there,
  );

it('is one file that says its version and how it is used', async () => {
  expect(execFileSync(node, [bundle, 'version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(execFileSync(node, [bundle, '--help'], { encoding: 'utf8' })).toContain('alm-agent [run]');
  expect(readFileSync(bundle, 'utf8')).not.toContain('sourceMappingURL');
  writeFileSync(settingsFile, '{}');
  expect(await run('nonsense').end()).toMatchObject({ code: 1 });
  expect(await run('run').end()).toEqual({
    code: 1,
    said: `alm-agent: ${settingsFile}: The settings are wrong: The settings must have required properties server, stackId, flag.\n`,
  });
});

it('looks once and ends, and tells afterwards what runs', async () => {
  await writeSettings();
  expect(await run('once').end()).toMatchObject({ code: 0 });
  await isReady();
  expect((await run('status').end()).said).toMatch(/^ready +yes\nruns +nothing$/m);
});

it('ends with 1 when it could not do what it should', async () => {
  await writeSettings();
  writeFileSync(settingsFile, readFileSync(settingsFile, 'utf8').replace(almanac.url, 'http://127.0.0.1:1'));
  expect(await run('once').end()).toMatchObject({ code: 1, said: expect.stringContaining('ECONNREFUSED') });
});

it('stays until it is told to stop, tolerates no other beside it and writes no secret', async () => {
  const token = await writeSettings();
  const agent = run('run');
  await isReady();
  expect(await run('once').end()).toEqual({
    code: 1,
    said: 'alm-agent: Another agent runs on this instance already.\n',
  });
  agent.child.kill('SIGTERM');
  const { code, said } = await agent.end();
  expect(code).toBe(0);
  expect(said).toContain('agent stopped');
  expect(said).not.toContain(token);
  expect(existsSync(join(place, 'ready'))).toBe(false);
});
