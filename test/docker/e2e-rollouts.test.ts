import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmanacProcess } from '../e2e/almanac-process.ts';
import { eventually, type Json } from '../http.ts';
import { makeTestPlace } from '../open-database.ts';
import { FakeRegistry } from './world/agent-registry.ts';
import { DockerStack, dockerSettings, fetchPage, generateLoad } from './world/e2e-world.ts';

/** Deployments of images on a real engine, with real agents, and requests through the balancer all the time. */
const registry = new FakeRegistry();
let stack: DockerStack;

const serving = (page: string): readonly string[] => [
  'node',
  '-e',
  `require('node:http').createServer((request, reply) => reply.setHeader('connection', 'close').end('${page}')).listen(8080)`,
];

const template = (image: string, container: object = {}, layer: object = {}) => ({
  version: '2017-03-03',
  vendor: { docker: { cred: 'local', region: 'local', secret: 'none' } },
  configurations: [
    {
      role: 'web',
      flag: 'web',
      provision: {
        availability_zone: 'local',
        auto_scaling: { min: 2, max: 2, scaling: false },
        load_balancer: {
          listeners: [{ load_balancer_port: 80, protocol: 'HTTP', instance_port: 8080 }],
          health_check: {
            target: 'HTTP:8080/',
            interval: 2,
            timeout: 1,
            healthy_threshold: 2,
            unhealthy_threshold: 2,
          },
        },
      },
      container: {
        container_image: image,
        container_registry_username: registry.login.username,
        container_registry_password: registry.login.password,
        container_ports: [8080],
        ...container,
      },
      ...layer,
    },
  ],
});

beforeAll(async () => {
  await registry.start();
  const place = await makeTestPlace();
  stack = new DockerStack(place, await AlmanacProcess.serve(place, dockerSettings));
  stack.id = await stack.server.applyTemplate(template(registry.put('shop', '1', serving('one'))));
  await stack.waitFor('CREATE_COMPLETE');
});
afterAll(async () => {
  await stack.server.call('DELETE', `/v3/alm/stack/${stack.id}`);
  await stack.waitFor('DELETE_COMPLETE').catch(() => {});
  await stack.server.kill('SIGKILL');
  await stack.place.remove();
  await registry.close();
});

const rollouts = async (): Promise<Json[]> =>
  (await stack.server.call<{ rollouts: Json[] }>('GET', `/v3/alm/stack/${stack.id}/rollouts`)).body.rollouts;

/** Deploys, and returns what a visitor saw until it was over. */
async function deploy(document: object, status: 'UPDATE_COMPLETE' | 'UPDATE_FAILED') {
  const stop = generateLoad(await stack.address(), 2);
  await stack.update(document);
  const after = await stack.waitFor(status);
  return { after, pages: [...(await stop()).keys()].toSorted() };
}

describe('images on the docker vendor', () => {
  it('a stack is complete when its application serves, with image and digest of each instance', async () => {
    expect(await fetchPage(await stack.address())).toBe('one');
    expect((await stack.describe())['health']).toBe('serving');
    const [rollout] = await rollouts();
    expect(rollout).toMatchObject({ state: 'serving', wanted: 2, serving: 2, flag: 'web' });
    for (const instance of (rollout?.['instances'] ?? []) as Json[])
      expect(instance).toMatchObject({ state: 'serving', digest: expect.stringMatching(/sha256:/) });
  });

  it.each([
    [
      'crashes',
      () =>
        template(
          registry.put('shop', 'crash', ['node', '-e', 'console.error("no config"); process.exit(3)']),
        ),
      /exited with code 3/,
    ],
    [
      'ends at once without an error',
      () => template(registry.put('shop', 'end', ['node', '-e', '0'])),
      /exited with code 0/,
    ],
    ['does not exist', () => template(`${registry.host}/shop:nope`), /nope/],
    [
      'may not be pulled',
      () =>
        template(registry.put('shop', 'secret', serving('secret')), { container_registry_password: 'wrong' }),
      /pull|denied|unauthorized/i,
    ],
  ])(
    'an image that %s fails the update with the reason, and no visitor sees it',
    async (_, document, reason) => {
      const { after, pages } = await deploy(document(), 'UPDATE_FAILED');
      expect(after['stack_status_reason']).toMatch(reason);
      expect(pages).toEqual(['one']);
      expect((await stack.describe())['health']).toBe('serving');
      expect((await rollouts()).map(({ state }) => state).slice(0, 2)).toEqual(['serving', 'returned']);
    },
  );

  it('a health check that never passes fails after the time of the layer', async () => {
    const image = registry.put('shop', 'ill', ['node', '-e', 'setInterval(() => {}, 1000)']);
    const { after, pages } = await deploy(template(image, {}, { rollout_timeout: 20 }), 'UPDATE_FAILED');
    expect(after['stack_status_reason']).toMatch(/does not serve/);
    expect(pages).toEqual(['one']);
  });

  it('a good image replaces the one before without a failed request, also after failures', async () => {
    const { pages } = await deploy(template(registry.put('shop', '2', serving('two'))), 'UPDATE_COMPLETE');
    expect(pages).toEqual(['one', 'two']);
    expect(await fetchPage(await stack.address())).toBe('two');
  });

  it('an update completes although the server is killed while it rolls', async () => {
    await stack.update(template(registry.put('shop', '3', serving('three'))));
    await stack.restartServer();
    await stack.waitFor('UPDATE_COMPLETE');
    await eventually(
      async () => fetchPage(await stack.address()),
      (page) => page === 'three',
    );
  });
});
