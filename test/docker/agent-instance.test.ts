import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitServer } from '../agent/world/git-server.ts';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { callHttp, eventually, type Json } from '../http.ts';
import { CodeRepository } from './world/agent-code.ts';
import { FakeRegistry } from './world/agent-registry.ts';
import { bridgeAddress } from './world/e2e-world.ts';
import { EngineWorld, testSocket } from './world/engine-world.ts';

/**
 * The bundled agent in an instance that is a container itself. It reaches Almanac and the engine through sockets, and the
 * application runs next to it. The images are those of images/build.sh --from-host.
 */
const world = new EngineWorld();
const { containers } = world.engine;
const place = mkdtempSync(join(tmpdir(), 'almanac-instance-'));
const code = new CodeRepository('one', 'two');
const git = new GitServer();
const registry = new FakeRegistry();
const address = '10.55.0.10';
let almanac: ServedAlmanac;
let proxy: Server;
let stackId: string;
let instance: string;
let image: string;

const template = (gitReference: string) => ({
  version: '2017-03-03',
  vendor: { aws: { cred: 'SANDBOX', region: 'ap-northeast-1' } },
  configurations: [
    {
      role: 'web',
      flag: 'web01',
      provision: { availability_zone: 'ap-northeast-1a' },
      container: {
        container_image: image,
        container_registry_username: registry.login.username,
        container_registry_password: registry.login.password,
        container_git_repo: git.url,
        container_git_reference: gitReference,
        container_code_dir: '/srv/app',
        container_ports: [8080],
        container_env_vars: { PORT: '8080' },
      },
    },
  ],
});

/** Forwards a unix socket to the server, which listens on a port here. */
async function listenFor(server: ServedAlmanac): Promise<void> {
  const { port, hostname } = new URL(server.url);
  proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => client.destroy()).pipe(client);
  });
  await new Promise<void>((done) => proxy.listen(join(place, 'server.sock'), done));
}

async function makeInstance(): Promise<string> {
  execFileSync('node', ['scripts/bundle-agent.mjs', join(place, 'alm-agent.mjs')]);
  const network = await world.network('net', '10.55.0.0/24');
  const { auth_token: token } = await almanac.describe(stackId);
  const settings = {
    server: 'unix:/run/almanac/server.sock',
    stackId,
    flag: 'web01',
    token,
    instanceId: world.name('instance'),
    engine: '/run/almanac/engine.sock',
    network,
    metadata: 'file:/run/almanac/spot-notice',
    stateDirectory: '/var/lib/almanac',
    pollSeconds: 0.3,
    // `fetch` keeps its connection to the old container until it is drained.
    drainSeconds: 1,
    hostUsr: true,
  };
  const id = await world.create({
    role: 'instance',
    name: 'instance',
    networks: [{ network, address }],
    mounts: [
      { kind: 'bind', source: testSocket(), target: '/run/almanac/engine.sock' },
      { kind: 'bind', source: join(place, 'server.sock'), target: '/run/almanac/server.sock' },
    ],
  });
  await containers.putFiles(id, [
    { path: '/opt/almanac/alm-agent.mjs', content: readFileSync(join(place, 'alm-agent.mjs')), mode: 0o755 },
    { path: '/opt/almanac/agent.json', content: JSON.stringify(settings), mode: 0o600 },
  ]);
  await containers.start(id);
  return id;
}

const page = () =>
  callHttp('GET', `http://${address}:8080/`).then(
    ({ text }) => text,
    (error: unknown) => String(error),
  );
const served = (expected: string) => eventually(page, (found) => found === expected);
const applications = () => containers.list({ 'almanac.stack': stackId, 'almanac.kind': 'app' });
const agentStatus = async (): Promise<string> => {
  const { stdout } = await world.exec(instance, 'node', '/opt/almanac/alm-agent.mjs', 'status');
  return stdout;
};
const events = async () => {
  const token = await almanac.userToken();
  return (await almanac.call<Json[]>('GET', `/v3/alm/stack/${stackId}/events`, { token })).body;
};

beforeAll(async () => {
  await registry.start();
  await git.start(code.path, bridgeAddress());
  image = registry.put('site', 'instance', ['node', '/srv/app/server.mjs']);
  almanac = await ServedAlmanac.start();
  stackId = await almanac.applyTemplate(template('one'));
  await listenFor(almanac);
  instance = await makeInstance();
});
afterAll(async () => {
  for (const { id } of await applications()) await containers.remove(id, { force: true });
  await world.clear();
  await world.engine.images.remove(image, { force: true });
  await new Promise((done) => proxy.close(done));
  await almanac.close();
  await registry.close();
  git.stop();
  code.remove();
  rmSync(place, { recursive: true, force: true });
});

it('the agent serves the application on the address of the instance, and then writes its ready file', async () => {
  await served('one');
  const ready = await eventually(
    () => containers.readFile(instance, '/run/almanac/ready'),
    (content) => content !== undefined,
  );
  const { revision } = JSON.parse(String(ready)) as { revision: number };
  expect(await agentStatus()).toContain(`runs      revision ${revision}, image ${image}`);
  expect(await applications()).toHaveLength(1);
});

it('a killed agent starts again and keeps the container', async () => {
  const before = (await applications()).map(({ id }) => id);
  await world.exec(instance, 'sh', '-c', 'kill -KILL $(pgrep -f alm-agent.mjs)');
  await eventually(page, (found) => found !== 'one', 20).catch(() => undefined);
  await served('one');
  expect((await applications()).map(({ id }) => id)).toEqual(before);
});

it('the agent deploys new code and reports a spot notice', async () => {
  const token = await almanac.userToken();
  await almanac.call('PUT', `/v3/alm/template/${stackId}`, { token, json: template('two') });
  await served('two');
  await containers.putFiles(instance, [{ path: '/run/almanac/spot-notice', content: '' }]);
  await eventually(events, (found) => found.some(({ status }) => status === 'spot_terminate'));
  await eventually(
    () => containers.readFile(instance, '/run/almanac/ready'),
    (content) => content === undefined,
  );
});

it('the agent stops with its instance, and the application keeps running', async () => {
  await containers.stop(instance, 20);
  await eventually(events, (found) => found.some(({ status }) => status === 'stopped'));
  expect((await applications()).map(({ state }) => state)).toEqual(['running']);
  const log = await containers.logs(instance, 100);
  expect(log).toContain('agent stopped');
  expect(log).not.toContain(registry.login.password);
});
