import { afterAll, beforeAll, expect, it } from 'vitest';
import { DockerStack, dockerSettings, fetchPage } from '../docker/world/e2e-world.ts';
import { callHttp, eventually } from '../http.ts';
import { type Clients, succeeded } from './world/clients.ts';
import { master, type Person, useRegistry } from './world/registry-world.ts';

/** The whole product: a stack on a real engine runs an image of a private repository. Its template has no password. */
const world = useRegistry(dockerSettings);
let stack: DockerStack;
let root: Clients;

/** Serves the file that makes the image different from others. */
const program =
  'require("http").createServer((_, reply) => reply.end(require("fs").readFileSync("/content"))).listen(8080)';

const pushPage = async (page: string): Promise<void> => {
  const image = await world.layout.image({ content: page, entrypoint: ['node', '-e', program] });
  await succeeded(root.push(world.layout.tag(page, image), 'root/site:live'));
};

const template = (deployment: string) => ({
  version: '2017-03-03',
  vendor: { docker: { cred: 'local', region: 'local', secret: 'none' } },
  configurations: [
    {
      role: 'web',
      flag: 'web',
      provision: {
        availability_zone: 'local',
        auto_scaling: { min: 1, max: 1 },
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
        container_image: `${world.host}/root/site:live`,
        container_ports: [8080],
        container_env_vars: { DEPLOYMENT: deployment },
      },
    },
  ],
});

const pageIs = async (page: string): Promise<void> => {
  const address = await stack.address();
  await eventually(
    () => fetchPage(address),
    (found) => found === page,
  );
};

beforeAll(async () => {
  root = await world.signedIn(master);
  stack = new DockerStack(world.place, world.server);
  await pushPage('one');
});

afterAll(async () => {
  if (stack.id === '') return;
  await stack.server.call('DELETE', `/v3/alm/stack/${stack.id}?data=delete`);
  await stack.waitFor('DELETE_COMPLETE');
});

it('a stack runs an image of a private repository, with a credential of its own', async () => {
  stack.id = await stack.server.applyTemplate(template('1'));
  await stack.waitFor('CREATE_COMPLETE');
  await pageIs('one');
});

it('a new deployment runs what was pushed to the same tag', async () => {
  await pushPage('two');
  await stack.update(template('2'));
  await stack.waitFor('UPDATE_COMPLETE');
  await pageIs('two');
});

/** What an agent of the stack receives. */
async function agentLogin(): Promise<Person> {
  const { auth_token } = await stack.describe();
  const { body } = await callHttp('POST', `${stack.server.url}/v3/access_token`, {
    json: { client_id: stack.id, client_secret: auth_token, grant_type: 'client_credentials' },
  });
  const path = `/v3/alm/agent/config?stack_id=${stack.id}&flag=web`;
  const { body: config } = await stack.server.call('GET', path, { token: String(body.access_token) });
  return {
    username: String(config.container_registry_username),
    password: String(config.container_registry_password),
  };
}

it('the credential of the agents pulls the image of the stack, and can do nothing else', async () => {
  await succeeded(root.push(await world.layout.simple('other'), 'root/other:1'));
  const caller = world.caller(await agentLogin());
  expect((await caller.call('GET', '/v2/root/site/manifests/live')).status).toBe(200);
  expect((await caller.call('GET', '/v2/root/other/manifests/1')).status).toBe(401);
  expect((await caller.call('POST', '/v2/root/site/blobs/uploads/')).status).toBe(401);
});
