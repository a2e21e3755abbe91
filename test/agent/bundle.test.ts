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
/** ALM_TEST_AGENT_NODE: another Node to test with, because instances have older ones. */
const node = process.env.ALM_TEST_AGENT_NODE ?? process.execPath;

let almanac: ServedAlmanac;
let engine: Server;
let directory: string;
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
  directory = mkdtempSync(join(tmpdir(), 'almanac-run-'));
  settingsFile = join(directory, 'agent.json');
  // A fake engine without containers.
  engine = createServer((request, reply) => reply.end(request.url === '/_ping' ? 'OK' : '[]'));
  await new Promise<void>((done) => engine.listen(join(directory, 'engine.sock'), done));
});
afterEach(async () => {
  await new Promise((done) => engine.close(done));
  rmSync(directory, { recursive: true, force: true });
});

/** The settings of a layer without a container, so that readiness needs only Almanac. */
async function writeSettings(): Promise<string> {
  const stackId = await almanac.applyTemplate();
  const { auth_token: token } = await almanac.describe(stackId);
  const settings = {
    server: almanac.url,
    stackId,
    flag: 'web0',
    token,
    instanceId: 'i-bundle',
    engine: join(directory, 'engine.sock'),
    stateDirectory: join(directory, 'state'),
    readyFile: join(directory, 'ready'),
    pollSeconds: 0.1,
  };
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return String(token);
}

function run(...argv: string[]) {
  const child = spawn(node, [bundle, ...argv, '--settings', settingsFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) => parts.join(''));
  const code = new Promise<number | null>((done) => child.on('exit', done));
  return { child, end: async () => ({ code: await code, output: await output }) };
}
const isReady = () =>
  eventually(
    async () => existsSync(join(directory, 'ready')),
    (there) => there,
  );

it('the bundle is one file that prints its version, its usage and its errors', async () => {
  expect(execFileSync(node, [bundle, 'version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(execFileSync(node, [bundle, '--help'], { encoding: 'utf8' })).toContain('alm-agent [run]');
  expect(readFileSync(bundle, 'utf8')).not.toContain('sourceMappingURL');
  writeFileSync(settingsFile, '{}');
  expect(await run('nonsense').end()).toMatchObject({ code: 1 });
  expect(await run('run').end()).toEqual({
    code: 1,
    output: `alm-agent: ${settingsFile}: Invalid settings: must have required properties server, stackId, flag.\n`,
  });
});

it('`once` runs one pass and exits with 0, and `status` prints what runs', async () => {
  await writeSettings();
  expect(await run('once').end()).toMatchObject({ code: 0 });
  await isReady();
  expect((await run('status').end()).output).toMatch(
    /^ready +yes\nwanted +no container\nserves +nothing\nreport +uptodate, accepted \S+Z$/m,
  );
});

it('`once` exits with 1 when Almanac is unreachable', async () => {
  await writeSettings();
  writeFileSync(settingsFile, readFileSync(settingsFile, 'utf8').replace(almanac.url, 'http://127.0.0.1:1'));
  expect(await run('once').end()).toMatchObject({ code: 1, output: expect.stringContaining('ECONNREFUSED') });
});

it('`run` runs until SIGTERM, prevents a second agent and logs no secret', async () => {
  const token = await writeSettings();
  const agent = run('run');
  await isReady();
  expect(await run('once').end()).toEqual({
    code: 1,
    output: 'alm-agent: Another agent is already running on this instance.\n',
  });
  agent.child.kill('SIGTERM');
  const { code, output } = await agent.end();
  expect(code).toBe(0);
  expect(output).toContain('agent stopped');
  expect(output).not.toContain(token);
  expect(existsSync(join(directory, 'ready'))).toBe(false);
});
