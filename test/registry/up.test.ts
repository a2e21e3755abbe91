import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../agent/world/fake-engine.ts';
import { AlmanacProcess, knownLogin, login } from '../e2e/almanac-process.ts';
import { eventually } from '../http.ts';
import { makeTestPlace, type TestPlace } from '../open-database.ts';
import { Clients, succeeded } from './world/clients.ts';
import { ImageLayout } from './world/image-layout.ts';

const image = 'almanac-test-registry';
const layout = new ImageLayout();
let place: TestPlace;
let server: AlmanacProcess;
let settings: Record<string, string>;

beforeAll(async () => {
  settings = { ...knownLogin, ALM_PORT: String(await freePort()) };
  place = await makeTestPlace();
  server = await AlmanacProcess.serve(place, settings);
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await place.remove();
  layout.remove();
});

/** An image with this machine's registry, as there may be no network to pull one. */
function importRegistryImage(): void {
  const root = mkdtempSync(join(tmpdir(), 'almanac-registry-image-'));
  const program = execFileSync('sh', ['-c', 'command -v docker-registry']).toString().trim();
  const libraries = execFileSync('sh', ['-c', 'ldd "$0"', program]).toString().match(/\/\S+/g) ?? [];
  for (const [from, to] of [
    [program, '/bin/registry'] as const,
    ...libraries.map((file) => [file, file] as const),
  ]) {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    copyFileSync(from, join(root, to));
  }
  mkdirSync(join(root, 'tmp'));
  const importing = 'tar -C "$0" -c . | docker import --change "ENV PATH=/bin" - "$1"';
  execFileSync('sh', ['-c', importing, root, image], { stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(root, { recursive: true });
}

async function up(...args: string[]): Promise<{ running: AlmanacProcess; url: string }> {
  const own = { ...settings, ALM_DOCKER_SOCKET: process.env.ALM_TEST_DOCKER_SOCKET ?? '' };
  const running = new AlmanacProcess(place, ['registry', 'up', '--listen', '127.0.0.1:0', ...args], own);
  const url = await eventually(
    async () => /ready at (\S+)/.exec(running.stdout)?.[1] ?? '',
    (found) => found !== '' || running.process.exitCode !== null,
  );
  expect(running.stderr).toBe('');
  return { running, url };
}

const registryOfServer = async (): Promise<unknown> =>
  (await server.call<{ registry: { url: unknown } }>('GET', '/v3/session')).body.registry.url;

const tagsOf = async (name: string): Promise<unknown> =>
  (await server.call('GET', `/v3/alm/registry/imagetags?image_id=${name}`)).body.tags;

async function push(url: string, name: string): Promise<void> {
  const clients = new Clients(new URL(url).host);
  await succeeded(clients.login('podman', login.username, login.password));
  await succeeded(clients.push(await layout.simple('one'), name));
  clients.remove();
}

describe('almanac registry up', () => {
  it('runs the installed registry for a server without settings, and its images stay', async () => {
    const first = await up();
    expect(await registryOfServer()).toBe(first.url);
    await push(first.url, 'root/program:1');
    expect(await tagsOf('root/program')).toEqual(['1']);
    expect((await first.running.kill('SIGINT')).code).toBe(0);
    expect(await registryOfServer()).toBeNull();
    const second = await up();
    expect(await tagsOf('root/program')).toEqual(['1']);
    await second.running.kill('SIGINT');
  });

  it('runs the image on the container engine, also after a run that was killed, and removes the container at the end', async () => {
    importRegistryImage();
    const killed = await up('--image', image);
    await killed.running.kill('SIGKILL');
    const { running, url } = await up('--image', image, '--listen', new URL(killed.url).host);
    expect(url).toBe(killed.url);
    expect(running.stdout).toContain(`container almanac-registry of the image ${image}`);
    await push(url, 'root/container:1');
    expect(await tagsOf('root/container')).toEqual(['1']);
    const containers = () => execFileSync('docker', ['ps', '-a', '--format', '{{.Names}}']).toString();
    expect(containers()).toContain('almanac-registry');
    expect((await running.kill('SIGTERM')).code).toBe(0);
    expect(containers()).not.toContain('almanac-registry');
  });
});
