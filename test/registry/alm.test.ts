import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loginFlags } from '../cli/alm.ts';
import { login } from '../e2e/almanac-process.ts';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let clients: Clients;
let source: string;

beforeAll(async () => {
  clients = world.clients();
  source = await world.layout.simple('one');
  await succeeded(clients.alm('login', '--url', world.server.url, ...loginFlags));
  await succeeded(clients.alm('registry', 'login', '--dir', clients.programs));
});

it('after alm registry login, docker, podman and skopeo push and pull without a login of their own', async () => {
  await succeeded(clients.push(source, 'root/shop:1'));
  await succeeded(clients.docker('pull', clients.at('root/shop:1')));
  await succeeded(clients.docker('tag', clients.at('root/shop:1'), clients.at('root/shop:2')));
  await succeeded(clients.docker('push', clients.at('root/shop:2')));
  await succeeded(clients.podman('pull', clients.at('root/shop:2')));
  await succeeded(clients.podman('push', clients.at('root/shop:2'), clients.at('root/shop:3')));
});

it('the files of container tools contain no password and no token', () => {
  for (const file of ['.docker/config.json', 'auth.json']) {
    const text = readFileSync(join(clients.home, file), 'utf8');
    expect(JSON.parse(text)).toEqual({ credHelpers: { [world.host]: 'alm' } });
    expect(text).not.toContain(login.password);
  }
});

it('lists, reads and deletes images', async () => {
  await succeeded(clients.push(source, 'root/listed:1'));
  await succeeded(clients.push(await world.layout.simple('two'), 'root/listed:2'));
  const listed = JSON.parse(await succeeded(clients.alm('registry', 'tags', 'listed', '-f', 'json'))) as {
    name: string;
    tags: string[];
  };
  expect(listed.name).toBe('root/listed');
  expect(listed.tags.toSorted()).toEqual(['1', '2']);
  const manifest = await succeeded(clients.alm('registry', 'manifest', 'listed:1'));
  expect(JSON.parse(manifest)).toMatchObject({ schemaVersion: 2 });
  await succeeded(clients.alm('registry', 'delete', 'listed:1'));
  expect(await failed(clients.pull('root/listed:1'))).toMatch(/manifest unknown/);
  await succeeded(clients.pull('root/listed:2'));
});

it('after alm registry logout, pushing is refused', async () => {
  await succeeded(clients.alm('registry', 'logout'));
  expect(await failed(clients.push(source, 'root/shop:9'))).toMatch(/denied|unauthorized/i);
});
