import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAppEngine } from '../../../src/agent/app-engine.ts';
import { realClock } from '../../../src/basics/clock.ts';
import { AgentWorld } from '../../agent/world/agent-world.ts';
import { freePort } from '../../agent/world/fake-engine.ts';
import { ReportRecorder } from '../../agent/world/report-recorder.ts';
import { ServedAlmanac } from '../../api/served-almanac.ts';
import { callHttp, eventually, type Json } from '../../http.ts';
import { FakeRegistry } from '../world/agent-registry.ts';
import { testSocket } from '../world/engine-world.ts';

/** What the agent reports about real containers. */
const registry = new FakeRegistry();
const engine = openAppEngine(testSocket(), realClock);
let almanac: ServedAlmanac;
let recorder: ReportRecorder;
let world: AgentWorld;
let port: number;
/** The revision that serves. */
let good: number;
let deploys = 0;

/** `/end` exits, `/ill` and `/well` change what the health check finds. */
const server = `
const fs = require('node:fs');
require('node:http').createServer((request, reply) => {
  if (request.url === '/end') { console.log('asked to end'); process.exit(4); }
  if (request.url === '/ill') fs.writeFileSync('/ill', '');
  if (request.url === '/well') fs.rmSync('/ill');
  reply.setHeader('connection', 'close').end('ok');
}).listen(Number(process.env.PORT));
`;

const section = (image: string, changes: object = {}) => ({
  container_image: image,
  container_registry_username: registry.login.username,
  container_registry_password: registry.login.password,
  container_ports: [port],
  // Every deploy is a new revision, also of the same image.
  container_env_vars: { PORT: String(port), DEPLOY: String((deploys += 1)) },
  ...changes,
});
const page = (path = '/'): Promise<string> =>
  callHttp('GET', `http://127.0.0.1:${port}${path}`).then(
    ({ text }) => text,
    (error: unknown) => String(error),
  );

/** The last report, once it is about a newer revision than `after` and has this status. */
const report = (status: string, after = 0): Promise<Json> =>
  eventually(
    async () => recorder.reports.at(-1) ?? {},
    (last) => last['status'] === status && Number(last['revision']) > after,
  );
const newest = (): number => Math.max(...recorder.reports.map(({ revision }) => Number(revision ?? 0)));
const deploy = async (image: string, changes: object = {}): Promise<Json> => {
  const after = newest();
  await world.update(section(image, changes));
  return report('error', after);
};
const myContainers = () => engine.containers.list({ 'almanac.stack': world.stackId });

beforeAll(async () => {
  await registry.start();
  almanac = await ServedAlmanac.start();
  recorder = await ReportRecorder.to(almanac.url);
  port = await freePort();
  const image = registry.put('site', 'live', ['node', '-e', server], {
    healthCheck: ['test', '!', '-e', '/ill'],
  });
  world = await AgentWorld.open(almanac, engine, section(image), {
    server: recorder.url,
    hostUsr: true,
    healthSeconds: 60,
    pollSeconds: 0.2,
    retrySeconds: 3000,
    listenAddress: undefined,
  });
  await world.startAgent();
  good = Number((await report('uptodate'))['revision']);
});
afterAll(async () => {
  await world.stopAgent();
  for (const { id } of await myContainers()) await engine.containers.remove(id, { force: true });
  await world.close();
  await recorder.close();
  await almanac.close();
  await registry.close();
});

it('a deployed image is reported with the digest that its registry has', () => {
  expect(recorder.reports.at(-1)).toMatchObject({
    serving_revision: good,
    image: `${registry.host}/site:live`,
    digest: registry.digestOf('site', 'live'),
  });
});

describe('a deploy is reported as failed, with what keeps serving, if', () => {
  const fails = async (image: string, changes: object = {}) => {
    const beganAt = Date.now();
    const found = await deploy(image, changes);
    expect(found).toMatchObject({ serving_revision: good, image: `${registry.host}/site:live` });
    expect(await page()).toBe('ok');
    return { found, seconds: (Date.now() - beganAt) / 1000 };
  };

  it.each([
    ['fails again and again', 3],
    ['ends at once without an error', 0],
  ])('the container %s, definitely and long before its health time is over', async (_, code) => {
    const program = ['sh', '-c', `echo no database; exit ${code}`];
    const { found, seconds } = await fails(registry.put('site', `exit-${code}`, program));
    expect(found).toMatchObject({
      definite: true,
      last_lines: expect.stringMatching(/^no database\n/) as string,
    });
    const message = `^The container exited with code ${code} and was restarted [56] times\\.`;
    expect(found['message']).toMatch(new RegExp(message));
    expect(seconds).toBeLessThan(45);
  });

  it('the image does not have the program, definitely', async () => {
    const { found } = await fails(registry.put('site', 'empty', ['nothing-here']));
    expect(found).toMatchObject({ definite: true });
    expect(found['message']).toContain('nothing-here');
  });

  it('the health check of the image fails, definitely', async () => {
    const options = { healthCheck: ['false'] };
    const { found } = await fails(registry.put('site', 'ill', ['node', '-e', server], options));
    expect(found).toMatchObject({ definite: true });
    expect(found['message']).toMatch(/^The health check of the image reports unhealthy\./);
  });

  it('there is no such tag, definitely', async () => {
    const { found } = await fails(`${registry.host}/site:nope`);
    expect(found).toMatchObject({ definite: true });
    expect(found['message']).toMatch(/^Cannot pull image .*(manifest unknown|not found)/);
  });

  it('the registry refuses the password, definitely', async () => {
    const image = registry.put('site', 'private', ['node']);
    const { found } = await fails(image, { container_registry_password: 'wrong' });
    expect(found).toMatchObject({ definite: true });
  });

  it('the registry cannot be reached, not definitely', async () => {
    const { found } = await fails('127.0.0.1:1/site:live');
    expect(found).toMatchObject({ definite: false });
    expect(found['message']).toContain('connection refused');
  });
});

describe('a container that served', () => {
  beforeAll(async () => {
    const after = newest();
    await world.update(section(`${registry.host}/site:live`));
    good = Number((await report('uptodate', after))['serving_revision']);
  });

  it('and exits is reported with its last lines, and later as serving again', async () => {
    await page('/end');
    const down = await report('error');
    expect(down).toMatchObject({ definite: false, revision: good, serving_revision: 0 });
    expect(down['message']).toMatch(/^The container exited/);
    expect(down['last_lines']).toContain('asked to end');
    await eventually(page, (found) => found === 'ok');
    expect(await report('uptodate')).toMatchObject({ serving_revision: good });
  });

  it('and becomes unhealthy does not serve until it is healthy again', async () => {
    await page('/ill');
    expect(await report('error')).toMatchObject({
      definite: false,
      serving_revision: 0,
      message: 'The health check of the image reports unhealthy.',
    });
    await page('/well');
    expect(await report('uptodate')).toMatchObject({ serving_revision: good });
  });
});
