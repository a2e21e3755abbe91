import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitServer } from '../agent/world/git-server.ts';
import { AlmanacProcess } from '../e2e/almanac-process.ts';
import { eventually, type Json } from '../http.ts';
import { makeTestPlace } from '../open-database.ts';
import { CodeRepository } from './world/agent-code.ts';
import { FakeRegistry } from './world/agent-registry.ts';
import { bridgeAddress, DockerStack, dockerSettings, fetchPage, generateLoad } from './world/e2e-world.ts';

/** The product through the v2 interface: parameters, no ports, code deployed by a separate request. */
const code = new CodeRepository('one', 'two');
const registry = new FakeRegistry();
const git = new GitServer();
let stack: DockerStack;

/** The default code directory of v2. */
const program = 'process.env.PORT ??= "80"; import("/var/www/html/server.mjs")';

const call = async (method: string, path: string, json?: object): Promise<Json> => {
  const answer = await stack.server.call(method, path, json === undefined ? {} : { json });
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};
const described = async (): Promise<Json> =>
  ((await call('GET', `/v2/alm/stack/${stack.id}`)) as unknown as [Json])[0];
const hasStatus = (status: string) => eventually(described, (found) => found.stack_status === status);
const address = async (): Promise<string> => {
  const outputs = (await described()).stack_outputs as { OutputKey: string; OutputValue: string }[];
  return outputs.find(({ OutputKey }) => OutputKey === 'Address')?.OutputValue ?? '';
};
const pageIs = async (page: string): Promise<void> => {
  const at = await address();
  await eventually(
    () => fetchPage(at),
    (found) => found === page,
  );
};

beforeAll(async () => {
  await registry.start();
  await git.start(code.path, bridgeAddress());
  const place = await makeTestPlace();
  stack = new DockerStack(place, await AlmanacProcess.serve(place, dockerSettings));
});

afterAll(async () => {
  await stack.server.kill('SIGKILL');
  await stack.place.remove();
  git.stop();
  await registry.close();
  code.remove();
});

it('an art_elb stack is created and serves the image on its exposed port', async () => {
  const credentials = {
    DockerAccessKeyId: 'local',
    DockerSecretKey: 'any',
    DockerAccountName: 'this machine',
  };
  expect(await call('POST', '/v2/credentials', { vendor: 'docker', credentials })).toMatchObject({
    status: 'success',
    verified: 'The vendor accepts the key.',
  });
  const configurations = {
    architecture: 'art_elb',
    type: 'container',
    image: registry.put('site', 'v2', ['node', '-e', program], { port: 80 }),
    dockerHubUsername: registry.login.username,
    dockerHubPassword: registry.login.password,
    code: git.url,
    gitReference: 'one',
    min: 1,
    max: 2,
    scaling: false,
  };
  const created = await call('POST', '/v2/alm/stack', {
    vendor: 'docker',
    cred: 'local',
    region: 'local',
    configurations,
  });
  stack.id = String(created.stack_id);
  await hasStatus('CREATE_COMPLETE');
  await pageIs('one');
});

it('a code deployment through v2 fails no request', async () => {
  const stop = generateLoad(await address(), 3);
  const deploy = { method: 'git_public', filepath: git.url, branch: 'two' };
  expect(await call('POST', `/v2/alm/stack/${stack.id}/code`, deploy)).toMatchObject({ status: 'success' });
  await pageIs('two');
  expect([...(await stop()).keys()].toSorted()).toEqual(['one', 'two']);
});

it('deleting the stack through v2 leaves no resources', async () => {
  await call('DELETE', `/v2/alm/stack/${stack.id}`);
  await eventually(
    () => stack.leftovers(),
    (count) => count === 0,
  );
});
