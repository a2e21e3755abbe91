import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Clients, failed, succeeded } from './world/clients.ts';
import { type Person, useRegistry } from './world/registry-world.ts';

const world = useRegistry();
let ann: Person;
let clients: Clients;
/** An image on disk. */
let source: string;

beforeAll(async () => {
  ann = await world.createUser('ann');
  clients = await world.signedIn(ann);
  source = await world.layout.simple('one');
});

const basic = ({ username, password }: Person): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

describe('docker', () => {
  it('login stores a refresh token and not the password', () => {
    const saved = clients.savedLogin()[world.host];
    expect(saved?.identitytoken).toMatch(/^.{20,}$/);
    expect(JSON.stringify(saved)).not.toContain(basic(ann));
    expect(JSON.stringify(saved)).not.toContain(ann.password);
  });

  it('login with a wrong password is refused', async () => {
    const message = await failed(world.clients().login('docker', 'ann', 'wrong'));
    expect(message).toMatch(/unauthorized/i);
  });

  it('pushes an image, and pulls the same one', async () => {
    await succeeded(clients.push(source, 'ann/source:1'));
    await succeeded(clients.docker('pull', clients.at('ann/source:1')));
    await succeeded(clients.docker('tag', clients.at('ann/source:1'), clients.at('ann/docker:1')));
    const pushed = await succeeded(clients.docker('push', clients.at('ann/docker:1')));
    await succeeded(clients.docker('rmi', clients.at('ann/docker:1'), clients.at('ann/source:1')));
    const pulled = await succeeded(clients.docker('pull', clients.at('ann/docker:1')));
    const digest = /digest: (sha256:\w+)/.exec(pushed)?.[1];
    expect(digest).toBeDefined();
    expect(pulled).toContain(`Digest: ${digest}`);
  });

  it('pushes to another repository without sending the layers again', async () => {
    await succeeded(clients.push(source, 'ann/original:1'));
    await succeeded(clients.docker('pull', clients.at('ann/original:1')));
    await succeeded(clients.docker('tag', clients.at('ann/original:1'), clients.at('ann/copy:1')));
    const output = await succeeded(clients.docker('push', clients.at('ann/copy:1')));
    expect(output).toMatch(/Mounted from ann\/\w+/);
    expect(await succeeded(clients.pull('ann/copy:1'))).toContain('Writing manifest');
  });

  it('logout makes pushing impossible', async () => {
    const leaving = await world.signedIn(ann);
    await succeeded(clients.push(source, 'ann/left:1'));
    await succeeded(leaving.docker('pull', leaving.at('ann/left:1')));
    await succeeded(leaving.docker('logout', world.host));
    expect(await failed(leaving.docker('push', leaving.at('ann/left:1')))).toMatch(/denied|unauthorized/);
  });
});

describe('podman', () => {
  it('pushes an image, and pulls the same one', async () => {
    await succeeded(clients.push(source, 'ann/podman:1'));
    const pulled = await succeeded(clients.podman('pull', '--quiet', clients.at('ann/podman:1')));
    await succeeded(clients.podman('push', clients.at('ann/podman:1'), clients.at('ann/podman:2')));
    await succeeded(clients.podman('rmi', '--all', '--force'));
    expect(await succeeded(clients.podman('pull', '--quiet', clients.at('ann/podman:2')))).toBe(pulled);
  });

  it('login with a wrong password is refused', async () => {
    expect(await failed(world.clients().login('podman', 'ann', 'wrong'))).toMatch(/invalid username/i);
  });
});

describe('skopeo', () => {
  it('copies, inspects and lists', async () => {
    await succeeded(clients.push(source, 'ann/skopeo:1'));
    await succeeded(clients.push(source, 'ann/skopeo:2'));
    const name = `docker://${clients.at('ann/skopeo')}`;
    const listed = JSON.parse(await succeeded(clients.skopeo('list-tags', name))) as { Tags: string[] };
    expect(listed.Tags.toSorted()).toEqual(['1', '2']);
    const inspected = await succeeded(clients.skopeo('inspect', `${name}:1`));
    expect(JSON.parse(inspected)).toMatchObject({ Labels: { 'almanac.host-usr': 'true' } });
  });

  it('deletes', async () => {
    await succeeded(clients.push(source, 'ann/gone:1'));
    await succeeded(clients.skopeo('delete', `docker://${clients.at('ann/gone:1')}`));
    expect(await failed(clients.pull('ann/gone:1'))).toContain('manifest unknown');
  });

  it('works with the refresh token that docker login stored', async () => {
    const authFile = ['--authfile', join(clients.home, '.docker', 'config.json')];
    await succeeded(clients.push(source, 'ann/refreshed:1', ...authFile));
    await succeeded(clients.pull('ann/refreshed:1', ...authFile));
  });
});
