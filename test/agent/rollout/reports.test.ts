import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStatus } from '../../../src/agent/status.ts';
import { EngineError } from '../../../src/docker-engine/errors.ts';
import { useServedAlmanac } from '../../api/served-almanac.ts';
import { eventually, type Json } from '../../http.ts';
import { AgentWorld, type ContainerSection, secrets } from '../world/agent-world.ts';
import { FakeEngine, freePort } from '../world/fake-engine.ts';
import { ReportRecorder } from '../world/report-recorder.ts';

const almanac = useServedAlmanac();
let engine: FakeEngine;
let recorder: ReportRecorder;
let world: AgentWorld;
let port: number;
beforeEach(async () => {
  engine = new FakeEngine();
  engine.images.set('web:1', 'web').set('web:2', 'web').set('mute:1', 'mute').set('crash:1', 'crash');
  engine.images.set('invalid:1', 'invalid');
  recorder = await ReportRecorder.to(almanac.url);
  port = await freePort();
});
afterEach(async () => {
  expect(await world.close()).toEqual([]);
  expect(JSON.stringify(recorder.reports)).not.toContain(secrets.environment);
  await recorder.close();
  await engine.close();
});

const section = (image?: string): ContainerSection => ({
  ...(image === undefined ? {} : { container_image: image }),
  container_ports: [port],
  container_env_vars: { GREETING: secrets.environment, DATABASE_PASSWORD: secrets.environment },
});
const start = async (settings = {}) => {
  world = await AgentWorld.open(almanac, engine.asEngine(), section('web:1'), {
    server: recorder.url,
    ...settings,
  });
  await world.startAgent();
};
const reported = async (expected: Json): Promise<Json> => {
  const matches = (report: Json): boolean =>
    Object.entries(expected).every(([name, value]) => report[name] === value);
  const found = await eventually(
    async () => recorder.reports.at(-1),
    (last) => last !== undefined && matches(last),
  );
  return found ?? {};
};
const serving = async (): Promise<number> => Number((await reported({ status: 'uptodate' }))['revision']);
const onlyContainer = (): string => [...engine.containers.keys()][0] ?? '';

describe('reports of a deploy', () => {
  it('name the layer, the revision that is wanted and the one that serves, with its image and digest', async () => {
    await start();
    const before = await serving();
    await world.update(section('web:2'));
    const last = await reported({ image: 'web:2' });
    const layer = { flag: 'web01', every: 60 };
    const served = { serving_revision: before, image: 'web:1', digest: 'sha256:of-web:1' };
    const after = Number(last['revision']);
    expect(after).toBeGreaterThan(before);
    expect(recorder.reports).toMatchObject([
      { ...layer, status: 'starting' },
      { ...layer, status: 'installing', revision: before, serving_revision: 0 },
      { ...layer, status: 'uptodate', revision: before, ...served },
      { ...layer, status: 'installing', revision: after, ...served },
      { ...layer, status: 'uptodate', revision: after, serving_revision: after, digest: 'sha256:of-web:2' },
    ]);
    expect(recorder.reports[0]).not.toHaveProperty('revision');
  });

  it('say that nothing serves while the agent is stopped, because it holds the ports', async () => {
    await start();
    const revision = await serving();
    await world.stopAgent();
    expect(recorder.reports.at(-1)).toMatchObject({ status: 'stopped', revision, serving_revision: 0 });
  });

  it('name no revision where the layer has no container any more', async () => {
    await start();
    await serving();
    await world.update(undefined);
    const last = await reported({ status: 'uptodate', revision: undefined });
    expect(last).not.toHaveProperty('serving_revision');
  });
});

describe('the report of a failed deploy', () => {
  it.each([
    ['exits again and again', 'crash:1', /^The container exited with code 1 and was restarted 5 times\./],
    ['never listens', 'mute:1', /^The container did not accept connections on port \d+ within 1 s\./],
    ['has no program', 'invalid:1', /^exec: "run": not found in \$PATH\./],
    ['does not exist', 'absent:1', /^Cannot pull image absent:1: manifest unknown\./],
    ['is missing in the template', undefined, /^The layer's container has no image\./],
  ])(
    'is definite if the image %s, begins with the cause and names what keeps serving',
    async (_, image, cause) => {
      await start();
      const before = await serving();
      await world.update(section(image));
      const report = await reported({ status: 'error' });
      expect(report).toMatchObject({ definite: true, serving_revision: before, image: 'web:1' });
      expect(Number(report['revision'])).toBeGreaterThan(before);
      expect(report['message']).toMatch(cause);
      expect(report['message']).toMatch(new RegExp(`Revision ${before} is still serving.$`));
    },
  );

  it('has the last lines of the container that failed, without secrets', async () => {
    await start();
    await serving();
    await world.update(section('crash:1'));
    expect(await reported({ status: 'error' })).toMatchObject({ last_lines: '[redacted] no database' });
  });

  it.each([
    ['refuses the login', 'unauthorized: wrong password', true],
    ['cannot be reached', 'dial tcp: lookup images.example: no such host', false],
  ])('is definite for a registry only if it answered: it %s', async (_, message, definite) => {
    await start();
    await serving();
    engine.pullError = new EngineError(500, message, 'POST /images/create');
    await world.update(section('absent:1'));
    expect(await reported({ status: 'error' })).toMatchObject({ definite });
  });

  it('is sent again by an agent that was restarted before the next try', async () => {
    await start({ retrySeconds: 3000 });
    await serving();
    await world.update(section('absent:1'));
    const report = await reported({ status: 'error' });
    await world.stopAgent();
    await world.startAgent();
    expect(await reported({ status: 'error' })).toEqual(report);
  });
});

describe('a container that served', () => {
  it('and exits is reported with its last lines, and serves again only when it has stayed up', async () => {
    await start();
    const revision = await serving();
    await engine.crash(onlyContainer());
    const report = await reported({ status: 'error' });
    expect(report).toMatchObject({
      definite: false,
      revision,
      serving_revision: 0,
      message: 'The container exited and was restarted once.',
      last_lines: '[redacted] no database',
    });
    const failedAt = Date.now();
    await reported({ status: 'uptodate', serving_revision: revision });
    expect(Date.now() - failedAt).toBeGreaterThan(700);
    const statuses = await world.statusesOf('Container');
    expect(statuses.join(' ')).toBe('starting updating running complete restarting complete');
  });

  it('and exits while the old container finishes its requests is reported at once', async () => {
    await start({ drainSeconds: 60, healthSeconds: 30 });
    const before = await serving();
    const open = connect({ port, host: '127.0.0.1' });
    open.on('error', () => undefined).write('GET / HTTP/1.1\r\nx-first: half');
    await world.get(port);
    await world.update(section('web:2'));
    const revision = Number((await reported({ image: 'web:2' }))['revision']);
    expect(revision).toBeGreaterThan(before);
    const replaced = engine.running.find(({ spec }) => spec.image === 'web:2');
    await engine.crash(replaced?.id ?? '');
    expect(await reported({ status: 'error' })).toMatchObject({ revision, serving_revision: 0 });
    expect(engine.running.map(({ spec }) => spec.image)).toEqual(['web:1', 'web:2']);
    open.destroy();
  });

  it('and is unhealthy does not serve until its health check passes again', async () => {
    await start();
    const revision = await serving();
    engine.containers.get(onlyContainer())!.health = 'unhealthy';
    const message = 'The health check of the image reports unhealthy.';
    expect(await reported({ status: 'error' })).toMatchObject({ serving_revision: 0, message });
    engine.containers.get(onlyContainer())!.health = 'healthy';
    await reported({ status: 'uptodate', serving_revision: revision });
  });

  it('and does not when another revision fails is said not to serve either', async () => {
    await start({ retrySeconds: 3000, healthSeconds: 30 });
    const before = await serving();
    await world.update(section('absent:1'));
    await reported({ status: 'error' });
    await engine.crash(onlyContainer());
    expect(await reported({ serving_revision: 0 })).toMatchObject({
      definite: true,
      message: expect.stringMatching(
        `^Cannot pull .* Revision ${before} does not serve either: The container exited`,
      ) as string,
    });
  });

  it('and whose engine does not respond is reported as last seen, with the reason', async () => {
    await start();
    const revision = await serving();
    engine.isUnreachable = true;
    expect(await reported({ status: 'error' })).toMatchObject({
      definite: false,
      serving_revision: revision,
      message: 'The container engine did not respond.',
    });
    engine.isUnreachable = false;
    await reported({ status: 'uptodate' });
  });
});

it('the status shows the revisions wanted and serving, the last failure and the last report', async () => {
  await start({ retrySeconds: 3000 });
  const before = await serving();
  await world.update(section('crash:1'));
  const wanted = Number((await reported({ status: 'error' }))['revision']);
  const status = () => describeStatus(world.settings);
  const shown = await eventually(status, (found) => found.includes('error, accepted'));
  expect(shown).toContain(`wanted    revision ${wanted}\n`);
  expect(shown).toContain(`serves    revision ${before}\n`);
  expect(shown).toContain(`failed    revision ${wanted}: The container exited with code 1`);
  expect(shown).toContain('\n            [redacted] no database\n');
  await world.stopAgent();
  await recorder.close();
  await world.startAgent();
  expect(await eventually(status, (found) => found.includes('not accepted'))).toMatch(
    /report {4}starting, not accepted \S+: .*ECONNREFUSED/,
  );
  recorder = await ReportRecorder.to(almanac.url);
});
