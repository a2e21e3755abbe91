import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { almProgram } from '../cli/alm.ts';
import type { Ended } from '../e2e/almanac-process.ts';
import { eventually } from '../http.ts';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { type Person, useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let ann: Person;
let clients: Clients;
/** An image on disk. */
let source: string;

const alm = (on: Clients, ...args: string[]): Promise<Ended> =>
  on.run('env', ['ALM_CREDENTIAL_STORE=none', process.execPath, almProgram, ...args]);

/** With the helper in the PATH, as after the login of a user whose ~/.local/bin is in it. */
const withHelper = (on: Clients, program: string, ...args: string[]): Promise<Ended> =>
  on.run('env', [`PATH=${join(on.home, '.local/bin')}:${process.env.PATH}`, program, ...args]);

async function signIn(on: Clients, { username, password }: Person): Promise<void> {
  await succeeded(alm(on, 'login', '--url', world.server.url, '-u', username, '-p', password));
  await succeeded(alm(on, 'registry', 'login'));
}

const copy = (on: Clients, image: string): Promise<Ended> =>
  withHelper(on, 'skopeo', 'copy', source, `docker://${on.at(image)}`);

/** The registry announces pushes a moment later. */
const catalogHas = (on: Clients, line: string): Promise<string> =>
  eventually(
    () => succeeded(alm(on, 'registry', 'catalog')),
    (text) => text.includes(line),
  );

beforeAll(async () => {
  ann = await world.createUser('ann');
  clients = world.clients();
  source = await world.layout.simple('one');
  await signIn(clients, ann);
});

describe('container tools with the login of alm', () => {
  it('skopeo pushes and pulls', async () => {
    await succeeded(copy(clients, 'ann/skopeo:1'));
    await succeeded(withHelper(clients, 'skopeo', 'inspect', `docker://${clients.at('ann/skopeo:1')}`));
    expect(await failed(copy(clients, 'bob/skopeo:1'))).toMatch(/denied|unauthorized/);
  });

  it('docker pushes and pulls', async () => {
    await succeeded(copy(clients, 'ann/docker:1'));
    await succeeded(withHelper(clients, 'docker', 'pull', clients.at('ann/docker:1')));
    await succeeded(clients.docker('tag', clients.at('ann/docker:1'), clients.at('ann/docker:2')));
    await succeeded(withHelper(clients, 'docker', 'push', clients.at('ann/docker:2')));
  });

  it('podman pulls', async () => {
    await succeeded(copy(clients, 'ann/podman:1'));
    const storage = ['--root', join(clients.home, 'images'), '--runroot', join(clients.home, 'run')];
    const pull = ['--storage-driver', 'vfs', 'pull', '--quiet', clients.at('ann/podman:1')];
    expect(await succeeded(withHelper(clients, 'podman', ...storage, ...pull))).toMatch(/^[0-9a-f]{64}\n$/);
  });

  it('leaves no password and no token in the files of the tools', () => {
    for (const file of ['.docker/config.json', 'auth.json']) {
      const text = readFileSync(join(clients.home, file), 'utf8');
      expect(text).toContain('"credHelpers"');
      expect(text).not.toMatch(/almr_|identitytoken|"auth"/);
    }
  });

  it('ends with the login', async () => {
    const leaving = world.clients();
    await signIn(leaving, ann);
    await succeeded(copy(leaving, 'ann/leaving:1'));
    await succeeded(alm(clients, 'sign-in', 'revoke', '--all'));
    expect(await failed(copy(leaving, 'ann/leaving:2'))).toContain('alm login');
    await succeeded(copy(clients, 'ann/leaving:3'));
  });

  it('alm registry logout ends it', async () => {
    const leaving = world.clients();
    await signIn(leaving, ann);
    await succeeded(alm(leaving, 'registry', 'logout'));
    expect(await failed(copy(leaving, 'ann/leaving:2'))).toMatch(
      /unauthorized|denied|authentication required/,
    );
  });
});

describe('alm registry with the registry of the server', () => {
  it('lists, describes, publishes and deletes what was pushed, without a password and an address', async () => {
    await succeeded(copy(clients, 'ann/shop:1.0'));
    await succeeded(copy(clients, 'ann/shop:latest'));
    await catalogHas(clients, 'ann/shop\n');
    expect(await succeeded(alm(clients, 'registry', 'tags', 'shop'))).toMatch(
      /ann\/shop +1\.0\nann\/shop +latest\n$/,
    );
    await succeeded(alm(clients, 'registry', 'description', 'shop', 'The shop'));
    const described = await succeeded(alm(clients, 'registry', 'describe', 'shop'));
    expect(described).toMatch(
      /^REPO +SIZE +CREATED +VISIBILITY +TAGS +DESCRIPTION\nann\/shop .* private +2 +The shop\n\n/,
    );
    expect(described).toMatch(/\n1\.0 +\S+ \S+ +sha256:[0-9a-f]{64} +linux\/\w+ /);
    const anybody = world.clients();
    expect(await failed(anybody.pull('ann/shop:1.0'))).toMatch(/denied|unauthorized|authentication required/);
    await succeeded(alm(clients, 'registry', 'visibility', 'shop', 'public'));
    await succeeded(anybody.pull('ann/shop:1.0'));
    await succeeded(alm(clients, 'registry', 'delete', 'shop:1.0'));
    expect(await succeeded(alm(clients, 'registry', 'tags', 'shop', '--fmt', 'min'))).toBe(
      '{"name":"ann/shop","tags":["latest"]}\n',
    );
    expect(await succeeded(alm(clients, 'registry', 'manifest', 'shop:latest'))).toContain('schemaVersion');
    await succeeded(alm(clients, 'registry', 'delete', 'shop', '--all'));
    expect(await succeeded(alm(clients, 'registry', 'catalog'))).not.toContain('ann/shop');
  });

  it('works in another account, whose namespaces have its id', async () => {
    const other = await world.createAccount('other');
    const theirs = world.clients();
    await signIn(theirs, other);
    await succeeded(copy(clients, 'ann/private:1'));
    await succeeded(copy(theirs, `${other.username}/shop:1`));
    expect(await succeeded(alm(theirs, 'registry', 'tags', 'shop', '--fmt', 'min'))).toBe(
      `{"name":"${other.username}/shop","tags":["1"]}\n`,
    );
    await catalogHas(theirs, `${other.username}/shop\n`);
    expect(await succeeded(alm(theirs, 'registry', 'catalog', '--all'))).not.toContain('ann/');
    expect(await failed(alm(theirs, 'registry', 'describe', 'ann/private'))).toContain('not found');
  });

  it('works with the user name and password of a person in the flags, as before', async () => {
    await succeeded(copy(clients, 'ann/flags:1'));
    const nobody = world.clients();
    const flags = [
      '--url',
      world.server.url,
      '--rurl',
      world.url,
      '--username',
      'ann',
      '--password',
      ann.password,
    ];
    expect(await succeeded(alm(nobody, 'registry', 'tags', 'flags', ...flags))).toMatch(/ann\/flags +1\n$/);
  });
});
