import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callHttp, eventually } from '../../http.ts';
import { makeTestPlace, type TestPlace } from '../../open-database.ts';
import { AlmanacProcess, type Ended } from '../almanac-process.ts';
import { makeFakeRegistry } from './fake-registry.ts';
import { startPullingEngine } from './pulling-engine.ts';

let place: TestPlace;
let server: AlmanacProcess;
const fake = makeFakeRegistry();
const started: AlmanacProcess[] = [];

beforeAll(async () => {
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place);
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.kill('SIGTERM');
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await place.remove();
  fake.remove();
});

type Environment = Record<string, string>;

function up(args: readonly string[] = [], settings: Environment = {}): AlmanacProcess {
  const environment = { PATH: fake.path, ALM_BASE_URL: server.url, ...settings };
  const listen = args.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const running = new AlmanacProcess(place, ['registry', 'up', ...listen, ...args], environment);
  started.push(running);
  return running;
}

const addressIn = ({ stdout }: AlmanacProcess): string => /ready at (\S+)/.exec(stdout)?.[1] ?? '';

async function ready(running: AlmanacProcess): Promise<string> {
  await eventually(
    async () => running.stdout + running.stderr,
    () => addressIn(running) !== '' || running.process.exitCode !== null,
  );
  expect(running.stderr).toBe('');
  return addressIn(running);
}

const recorded = async (): Promise<unknown> =>
  (await server.call<{ registry: { url: unknown } }>('GET', '/v3/session')).body.registry.url;

const answers = (url: string): Promise<boolean> =>
  callHttp('GET', `${url}/v2/`).then(
    ({ status }) => status === 401,
    () => false,
  );

const fileIn = (name: string): string => join(place.directory, 'registry', name);

async function failure(running: AlmanacProcess): Promise<Ended> {
  const ended = await running.ended;
  expect(ended.code).toBe(1);
  return ended;
}

describe('almanac registry up (with a stand-in for the registry)', () => {
  it.each(['SIGINT', 'SIGHUP'] as const)(
    'starts the registry, and the running server uses it until %s',
    async (signal) => {
      const running = up();
      const url = await ready(running);
      expect(await answers(url)).toBe(true);
      expect(await recorded()).toBe(url);
      expect(running.stdout).toContain('alm registry login');
      expect(running.stdout).not.toContain('Note:');
      const { code } = await running.kill(signal);
      expect(code).toBe(0);
      expect(running.stdout).toContain('The registry is stopped.');
      expect(await answers(url)).toBe(false);
      expect(await recorded()).toBeNull();
    },
  );

  it('ends at once at Ctrl-C while it pulls the image', async () => {
    const engine = await startPullingEngine(fake.path);
    const running = up([], { PATH: '/nonexistent', ALM_DOCKER_SOCKET: engine.socket });
    await Promise.race([engine.pulling, running.ended]);
    const { code, stdout, stderr } = await running.kill('SIGINT');
    await engine.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The registry is stopped.');
  });

  it('writes a configuration that only its owner can read', async () => {
    await ready(up());
    expect(statSync(fileIn('config.yml')).mode & 0o777).toBe(0o600);
    expect(readFileSync(fileIn('config.yml'), 'utf8')).toContain(`${server.url}/v3/docker/token`);
    expect(statSync(join(place.directory, 'registry')).mode & 0o777).toBe(0o700);
  });

  it('can be started again, and ends the registry of a run that was killed', async () => {
    const first = up();
    const url = await ready(first);
    await first.kill('SIGKILL');
    expect(await answers(url)).toBe(true);
    const again = up(['--listen', url.replace('http://', '')]);
    expect(await ready(again)).toBe(url);
    expect(await recorded()).toBe(url);
  });

  it('runs once per data directory', async () => {
    await ready(up());
    const { stderr } = await failure(up());
    expect(stderr).toContain('Another "almanac registry up" runs on');
  });

  it('records the address that --url gives', async () => {
    await ready(up(['--url', 'https://registry.example.com']));
    expect(await recorded()).toBe('https://registry.example.com');
  });

  it('does not start on a port that another program uses', async () => {
    const other: Server = createServer((_, reply) => void reply.end('other'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const { stderr } = await failure(up(['--listen', `127.0.0.1:${port}`]));
    other.close();
    expect(stderr).toContain(`Another program listens on 127.0.0.1:${port}`);
    expect(await recorded()).toBeNull();
  });

  it('shows the log of a registry that ends', async () => {
    const { stderr } = await failure(up([], { FAKE_REGISTRY_FAILS: '1' }));
    expect(stderr).toContain('the disk is full');
    expect(await recorded()).toBeNull();
  });

  it('says what to install when nothing can run a registry', async () => {
    const nothing = { PATH: '/nonexistent', ALM_DOCKER_SOCKET: '/nonexistent/docker.sock' };
    const { stderr } = await failure(up([], nothing));
    expect(stderr).toContain('apt install docker-registry');
    expect(stderr).toContain('/nonexistent/docker.sock');
  });

  it('says that the server does not answer, and that a setting of the server wins', async () => {
    const running = up([], {
      ALM_BASE_URL: 'http://127.0.0.1:9',
      ALM_REGISTRY_URL: 'https://other.example.com',
    });
    await ready(running);
    await eventually(
      async () => running.stdout,
      (text) => text.includes('no server answers at http://127.0.0.1:9'),
    );
    expect(running.stdout).toContain('ALM_REGISTRY_URL is https://other.example.com');
  });

  it.each([
    [['--listen', 'localhost'], '--listen must be an address and a port'],
    [['--url', 'registry.example.com'], '--url must be http:// or https://'],
    [['--port', '1'], '--port'],
  ])('rejects %j', async (args, message) => {
    expect((await failure(up(args))).stderr).toContain(message);
  });
});
