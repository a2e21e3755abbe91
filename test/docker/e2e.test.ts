import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitServer } from '../agent/world/git-server.ts';
import { AlmanacProcess } from '../e2e/almanac-process.ts';
import { eventually, type Json } from '../http.ts';
import { makeTestPlace } from '../open-database.ts';
import { CodeRepository } from './world/agent-code.ts';
import { FakeRegistry } from './world/agent-registry.ts';
import {
  balanced,
  bridgeAddress,
  DockerStack,
  dockerSettings,
  fetchPage,
  generateLoad,
  type SiteOptions,
} from './world/e2e-world.ts';

/**
 * The whole product on a real engine: the server is a process, the agents run in the instances, and the balancer, the
 * database and the cache are real. Only the registry of the application's image is simulated.
 */
const code = new CodeRepository('one', 'two', 'three');
const registry = new FakeRegistry();
const git = new GitServer();
let stack: DockerStack;
let site: SiteOptions;
const durations = new Map<string, number>();

const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  const result = await work();
  durations.set(name, Math.round(performance.now() - began));
  return result;
};

const pageIs = async (page: string): Promise<void> => {
  const address = await stack.address();
  await eventually(
    () => fetchPage(address),
    (found) => found === page,
  );
};

beforeAll(async () => {
  await registry.start();
  await git.start(code.path, bridgeAddress());
  const place = await makeTestPlace();
  stack = new DockerStack(place, await AlmanacProcess.serve(place, dockerSettings));
  const image = registry.put('site', 'e2e', ['node', '/srv/app/server.mjs']);
  site = { image, login: registry.login, repository: git.url, reference: 'one', min: 2, max: 4 };
});

afterAll(async () => {
  await stack.server.kill('SIGKILL');
  await stack.place.remove();
  git.stop();
  await registry.close();
  code.remove();
  for (const [name, ms] of durations) console.log(`${name}: ${(ms / 1000).toFixed(1)} s`);
});

it('a new stack serves a page through its balancer', async () => {
  await timed('from apply to a page through the balancer', async () => {
    stack.id = await stack.server.applyTemplate(balanced(site));
    await stack.waitFor('CREATE_COMPLETE');
    await pageIs('one');
  });
  expect(await stack.runningInstances()).toHaveLength(2);
});

it('the environment of the application has the addresses of its database and cache', async () => {
  const address = await stack.address();
  // An instance that deployed before the database was known deploys again with its address.
  const environment = await eventually(
    async () => JSON.parse(await fetchPage(address, '/environment')) as Record<string, string>,
    (found) => Boolean(found.ALM_DATABASE_SLAVE1_HOST && found.ALM_REDIS_PORT),
  );
  expect(environment).toMatchObject({ ALM_DATABASE_NAME: 'app', ALM_REDIS_PORT: '6379' });
  expect(environment.ALM_DATABASE_PASSWORD).toMatch(/^.{20,}$/);
  expect(environment.ALM_DATABASE_SLAVE1_HOST).toBeTruthy();
});

it('a deployment of new code fails no request', async () => {
  const stop = generateLoad(await stack.address(), 4);
  await stack.update(balanced({ ...site, reference: 'two' }));
  await stack.waitFor('UPDATE_COMPLETE');
  await pageIs('two');
  const address = await stack.address();
  // All instances have switched when the page no longer changes.
  await eventually(
    async () => new Set(await Promise.all(Array.from({ length: 10 }, () => fetchPage(address)))),
    (pages) => pages.size === 1 && pages.has('two'),
  );
  const seen = await stop();
  expect([...seen.keys()].toSorted()).toEqual(['one', 'two']);
  expect(seen.get('one')).toBeGreaterThan(0);
});

it('scaling up and down fails no request', async () => {
  const stop = generateLoad(await stack.address(), 2);
  for (const min of [4, 1]) {
    await stack.update(balanced({ ...site, reference: 'two', min }));
    await stack.waitFor('UPDATE_COMPLETE');
    await stack.withInstances(min);
  }
  expect([...(await stop()).keys()]).toEqual(['two']);
});

it('a script runs on an instance by ssh and is recorded in the audit log', async () => {
  const json = { flag: 'web', script: 'echo "hello from $(hostname)"; exit 3' };
  const answer = await stack.server.call('POST', `/v3/alm/stack/${stack.id}/exec`, { json });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ exit_code: 3, stdout: expect.stringMatching(/^hello from /) });
  const audit = await stack.server.call<Json[]>('GET', '/v3/audit');
  expect(JSON.stringify(audit.body)).toContain('hello from');
});

it('a killed instance and one with a spot notice are replaced', async () => {
  await stack.update(balanced({ ...site, reference: 'two', min: 2 }));
  await stack.waitFor('UPDATE_COMPLETE');
  const before = (await stack.withInstances(2)).map(({ InstanceId }) => String(InstanceId));
  await stack.engine.containers.kill(before[0] ?? '', 'SIGKILL');
  await eventually(
    () => stack.runningInstances(),
    (now) => now.length === 2 && !now.some(({ InstanceId }) => InstanceId === before[0]),
  );
  const spot = (await stack.runningInstances()).find(({ InstanceLifecycle }) => InstanceLifecycle === 'spot');
  expect(spot).toBeDefined();
  await stack.engine.containers.putFiles(String(spot?.InstanceId), [
    { path: '/run/almanac/spot-notice', content: JSON.stringify({ action: 'terminate' }), mode: 0o644 },
  ]);
  await eventually(
    () => stack.runningInstances(),
    (now) => now.length === 2 && !now.some(({ InstanceId }) => InstanceId === spot?.InstanceId),
  );
  await pageIs('two');
});

it('an update completes although the server is killed in the middle', async () => {
  await stack.update(balanced({ ...site, reference: 'three', min: 3 }));
  await stack.restartServer();
  await stack.waitFor('UPDATE_COMPLETE');
  await stack.withInstances(3);
  await pageIs('three');
});

it('deleting the stack with its data leaves no resources', async () => {
  await timed('deletion', async () => {
    await stack.server.call('DELETE', `/v3/alm/stack/${stack.id}?data=delete`);
    await stack.waitFor('DELETE_COMPLETE');
  });
  expect(await stack.leftovers()).toBe(0);
});
