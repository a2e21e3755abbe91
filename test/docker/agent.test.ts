import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAppEngine } from '../../src/agent/app-engine.ts';
import { realClock } from '../../src/basics/clock.ts';
import { AgentWorld } from '../agent/world/agent-world.ts';
import { freePort } from '../agent/world/fake-engine.ts';
import { GitServer } from '../agent/world/git-server.ts';
import { streamOf } from '../api/logs/log-stream.ts';
import { ServedAlmanac } from '../api/served-almanac.ts';
import { eventually } from '../http.ts';
import { CodeRepository } from './world/agent-code.ts';
import { FakeRegistry } from './world/agent-registry.ts';
import { testSocket } from './world/engine-world.ts';

const registry = new FakeRegistry();
const code = new CodeRepository('one', 'two', 'broken', 'three');
const git = new GitServer();
const engine = openAppEngine(testSocket(), realClock);
const databasePassword = 'database-password-9f31';
const entrypoint = ['node', '/srv/app/server.mjs'];
let almanac: ServedAlmanac;
let world: AgentWorld;
let port: number;
let image: string;

const section = (gitReference: string, changes: object = {}) => ({
  container_image: image,
  container_registry_username: registry.login.username,
  container_registry_password: registry.login.password,
  container_git_repo: git.url,
  container_git_reference: gitReference,
  container_code_dir: '/srv/app',
  container_ports: [port],
  container_env_vars: { PORT: String(port), DATABASE_PASSWORD: databasePassword },
  container_storage: { type: 'local', mountpath: '/mnt/storage' },
  ...changes,
});
const myLabels = () => ({ 'almanac.stack': world.stackId });
const mine = () => engine.containers.list(myLabels());
const page = (path = '/'): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += String(chunk))).on('error', reject);
      reply.on('end', () => resolve(reply.statusCode === 200 ? text : `status ${reply.statusCode}`));
    });
    request.on('error', reject);
  });
const served = (expected: string) =>
  eventually(
    () => page().catch(String),
    (found) => found === expected,
  );

beforeAll(async () => {
  await registry.start();
  await git.start(code.path);
  almanac = await ServedAlmanac.start();
  port = await freePort();
  image = registry.put('site', 'live', entrypoint);
  const settings = {
    hostUsr: true,
    healthSeconds: 15,
    pollSeconds: 0.2,
    retrySeconds: 2,
    listenAddress: undefined,
  };
  world = await AgentWorld.open(almanac, engine, section('one'), settings);
  await world.startAgent();
});
afterAll(async () => {
  await world.stopAgent();
  for (const { id } of await mine()) await engine.containers.remove(id, { force: true });
  for (const { name } of await engine.volumes.list(myLabels())) await engine.volumes.remove(name);
  await engine.images.remove(image, { force: true });
  await world.close();
  await almanac.close();
  await registry.close();
  git.stop();
  code.remove();
});

it('the agent pulls the image with its login, copies the code and serves it', async () => {
  await served('one');
  expect(await world.ready()).toBe(world.state.running?.revision);
  const environment = JSON.parse(await page('/environment')) as Record<string, string>;
  expect(environment).toMatchObject({ ALM_STACK_ID: world.stackId, MO_STACK_ID: world.stackId });
  const [container] = await mine();
  const inside = await engine.containers.exec(container?.id ?? '', ['ls', '-al', '/srv/app']);
  expect(inside.stdout).toContain('storage -> /mnt/storage');
  expect(inside.stdout).not.toContain('.git');
});

it('a reader of the logs gets the lines of the container as they are written, without secrets', async () => {
  await world.agentSays('uptodate');
  await page('/write');
  const place = `/v3/alm/stack/${world.stackId}/logs`;
  const query = `?instance_id=${world.settings.instanceId}&source=container`;
  const token = await almanac.userToken();
  const { body } = await almanac.call<{ lines: { time: string; text: string; container: string }[] }>(
    'GET',
    place + query,
    { token },
  );
  const [container] = await mine();
  expect(body.lines.map((line) => [line.container, line.text])).toEqual([
    [container?.name, 'written with [redacted]'],
  ]);
  const stream = await streamOf(`${almanac.url}${place}/stream${query}&since=${body.lines[0]?.time}`, token);
  await eventually(
    async () => (await stream.next()).data['state'],
    (state) => state === 'sending',
  );
  await page('/write');
  expect((await stream.next()).data['text']).toBe('written with [redacted]');
  stream.close();
});

it('a deployment of new code fails no request', async () => {
  await world.agentSays('uptodate');
  const answers: string[] = [];
  let isRequesting = true;
  const slow = page('/slow');
  const sendRequests = async () => {
    for (let sent = 0; isRequesting && sent < 20_000; sent += 1) answers.push(await page().catch(String));
  };
  const requesting = Array.from({ length: 6 }, sendRequests);
  await world.update(section('two'));
  await served('two');
  await eventually(
    async () => (await mine()).length,
    (count) => count === 1,
  );
  isRequesting = false;
  await Promise.all(requesting);
  expect(await slow).toBe('one');
  expect(new Set(answers)).toEqual(new Set(['one', 'two']));
  expect(answers.length).toBeGreaterThan(100);
});

it('the last good container keeps serving when new code fails, and the error contains no secrets', async () => {
  await world.agentSays('uptodate');
  await world.update(section('broken'));
  const message = await world.agentSays('error');
  expect(message).toMatch(/The container exited with code 3 and was restarted \d+ times\./);
  expect(message).not.toContain(databasePassword);
  expect(message).toContain('is still serving');
  expect(await page()).toBe('two');
});

it('the agent pulls a tag that moved', async () => {
  registry.put('site', 'live', entrypoint, { labels: { moved: 'yes' } });
  await world.update(section('three'));
  await served('three');
  await eventually(
    async () => (await mine()).length,
    (count) => count === 1,
  );
  const [container] = await mine();
  expect(container?.labels).toMatchObject({ moved: 'yes' });
});

it('the engine restarts an application that exited, and the agent recreates one that was removed', async () => {
  await world.agentSays('uptodate');
  const [before] = await mine();
  await page('/end').catch(() => undefined);
  await served('three');
  expect((await mine()).map(({ id }) => id)).toEqual([before?.id]);
  await engine.containers.remove(before?.id ?? '', { force: true });
  await served('three');
  expect((await mine()).map(({ id }) => id)).not.toContain(before?.id);
});

it('a restarted agent keeps the container', async () => {
  await world.agentSays('uptodate');
  const before = (await mine()).map(({ id }) => id);
  await world.stopAgent();
  await expect(page()).rejects.toThrow();
  await world.startAgent();
  await served('three');
  expect((await mine()).map(({ id }) => id)).toEqual(before);
});

it('the log of the agent contains no secrets', () => {
  const log = world.lines.join('');
  expect(log).toContain('is serving');
  for (const secret of [registry.login.password, databasePassword, world.settings.token ?? '-'])
    expect(log).not.toContain(secret);
});
