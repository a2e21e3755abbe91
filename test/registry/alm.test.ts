import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { type Person, useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let ann: Person;
let clients: Clients;
let other: Person;
let theirs: Clients;
/** An image on disk. */
let source: string;

const refused = /denied|unauthorized|authentication required/i;

/** Clients that use the login of alm. */
async function signedInWithAlm({ username, password }: Person): Promise<Clients> {
  const made = world.clients();
  await succeeded(made.alm('login', '--url', world.server.url, '-u', username, '-p', password));
  await succeeded(made.alm('registry', 'login', '--dir', made.programs));
  return made;
}

/** The registry announces pushes a moment later. */
const catalogHas = (on: Clients, line: string): Promise<string> =>
  eventually(
    () => succeeded(on.alm('registry', 'catalog')),
    (text) => text.includes(line),
  );

const tagsOf = (on: Clients, image: string): Promise<string> =>
  succeeded(on.alm('registry', 'tags', image, '--fmt', 'min'));

beforeAll(async () => {
  ann = await world.createUser('ann');
  other = await world.createAccount('other');
  source = await world.layout.simple('one');
  clients = await signedInWithAlm(ann);
  theirs = await signedInWithAlm(other);
});

describe('container tools with the login of alm', () => {
  it('docker, podman and skopeo push and pull without a login of their own', async () => {
    await succeeded(clients.push(source, 'ann/tools:1'));
    await succeeded(clients.docker('pull', clients.at('ann/tools:1')));
    await succeeded(clients.docker('tag', clients.at('ann/tools:1'), clients.at('ann/tools:2')));
    await succeeded(clients.docker('push', clients.at('ann/tools:2')));
    await succeeded(clients.podman('pull', clients.at('ann/tools:2')));
    await succeeded(clients.podman('push', clients.at('ann/tools:2'), clients.at('ann/tools:3')));
    await succeeded(clients.pull('ann/tools:3'));
    expect(await failed(clients.push(source, 'bob/tools:1'))).toMatch(refused);
  });

  it('have no password and no token in their files', () => {
    for (const file of ['.docker/config.json', 'auth.json']) {
      const text = readFileSync(join(clients.home, file), 'utf8');
      expect(JSON.parse(text)).toEqual({ credHelpers: { [world.host]: 'alm' } });
    }
  });

  it('are refused after the login was revoked, with the command that logs in again', async () => {
    const leaving = await signedInWithAlm(ann);
    await succeeded(leaving.push(source, 'ann/leaving:1'));
    await succeeded(clients.alm('sign-in', 'revoke', '--all'));
    expect(await failed(leaving.push(source, 'ann/leaving:2'))).toContain('alm login');
    await succeeded(clients.push(source, 'ann/leaving:3'));
  });

  it('are refused after alm registry logout', async () => {
    const leaving = await signedInWithAlm(ann);
    await succeeded(leaving.alm('registry', 'logout'));
    expect(await failed(leaving.push(source, 'ann/leaving:4'))).toMatch(refused);
  });
});

describe('alm registry with the registry of the server', () => {
  it('lists, describes and publishes what was pushed, without a password and an address', async () => {
    for (const tag of ['1.0', 'latest']) await succeeded(clients.push(source, `ann/shown:${tag}`));
    await catalogHas(clients, 'ann/shown\n');
    expect(await succeeded(clients.alm('registry', 'tags', 'shown'))).toMatch(
      /ann\/shown +1\.0\nann\/shown +latest\n$/,
    );
    await succeeded(clients.alm('registry', 'description', 'shown', 'The shop'));
    const described = await succeeded(clients.alm('registry', 'describe', 'shown'));
    expect(described).toMatch(
      /^REPO +SIZE +CREATED +VISIBILITY +TAGS +DESCRIPTION\nann\/shown .* (private|public) +2 +The shop\n\n/,
    );
    expect(described).toMatch(/\n1\.0 +\S+ \S+ +sha256:[0-9a-f]{64} +linux\/\w+ /);
    const anybody = world.clients();
    await succeeded(clients.alm('registry', 'visibility', 'shown', 'private'));
    expect(await failed(anybody.pull('ann/shown:1.0'))).toMatch(refused);
    await succeeded(clients.alm('registry', 'visibility', 'shown', 'public'));
    await succeeded(anybody.pull('ann/shown:1.0'));
  });

  it('deletes a tag alone, although another has the same content, and then the whole repository', async () => {
    for (const tag of ['1', '2']) await succeeded(clients.push(source, `ann/deleted:${tag}`));
    await succeeded(clients.alm('registry', 'delete', 'deleted:1'));
    expect(await failed(clients.pull('ann/deleted:1'))).toMatch(/manifest unknown/);
    await succeeded(clients.pull('ann/deleted:2'));
    expect(await tagsOf(clients, 'deleted')).toBe('{"name":"ann/deleted","tags":["2"]}\n');
    expect(await succeeded(clients.alm('registry', 'manifest', 'deleted:2'))).toContain('schemaVersion');
    await succeeded(clients.alm('registry', 'delete', 'deleted', '--all'));
    expect(await succeeded(clients.alm('registry', 'catalog'))).not.toContain('ann/deleted');
  });

  it('works in another account, whose namespaces have its id', async () => {
    await succeeded(clients.push(source, 'ann/private:1'));
    await succeeded(theirs.push(source, `${other.username}/shop:1`));
    expect(await tagsOf(theirs, 'shop')).toBe(`{"name":"${other.username}/shop","tags":["1"]}\n`);
    await catalogHas(theirs, `${other.username}/shop\n`);
    expect(await succeeded(theirs.alm('registry', 'catalog', '--all'))).not.toContain('ann/');
    expect(await failed(theirs.alm('registry', 'describe', 'ann/private'))).toContain(
      'Repository ann/private does not exist',
    );
  });

  it('works with the user name and password of a person in the flags, as before', async () => {
    await succeeded(clients.push(source, 'ann/flags:1'));
    const addresses = ['--url', world.server.url, '--rurl', world.url];
    const login = ['--username', 'ann', '--password', ann.password];
    const shown = await succeeded(world.clients().alm('registry', 'tags', 'flags', ...addresses, ...login));
    expect(shown).toMatch(/ann\/flags +1\n$/);
  });
});
