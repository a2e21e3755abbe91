import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { type FakeRegistry, FakeTokens } from './fake.ts';
import { annsPassword, RegistryWorld } from './world.ts';

let world: RegistryWorld;
let tokens: FakeTokens;
let registry: FakeRegistry;
let ann: AlmUser;
let anonymous: AlmUser;

beforeEach(async () => {
  world = await RegistryWorld.start();
  ({ tokens, registry } = world);
  ann = world.makeAnn();
  anonymous = world.makeAnonymous();
});

afterEach(async () => {
  await world.close();
  ann.close();
  anonymous.close();
});

/** Installs a fake program of the native store, which returns the content of a file. */
function keepInStore(user: AlmUser, { url, password }: { url: string; password: string }): void {
  const signIn = { clientId: 'c', clientSecret: 's', username: 'ann', password };
  writeFileSync(join(user.home, 'kept'), JSON.stringify({ token: '', expires: '', url, signIn }));
  const program = '#!/bin/sh\ncase "$*" in *"profile default") cat "$HOME/kept";; *) exit 1;; esac\n';
  writeFileSync(join(user.home, 'secret-tool'), program, { mode: 0o755 });
}

const ownStore = (user: AlmUser) => ({
  PATH: `${user.home}:${process.env.PATH}`,
  ALM_CREDENTIAL_STORE: 'secret-service',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
});

describe('registry tokens (with a fake registry and token service)', () => {
  it('alm registry token prints only the token, which is valid', async () => {
    const scope = 'repository:ann/shop:pull';
    const { code, stdout, stderr } = await ann.run(['registry', 'token', '--scope', scope]);
    expect(code).toBe(0);
    expect(tokens.use(stdout.replace(/\n$/, ''), scope)).toBe('good');
    expect(stderr).toContain(`info: The token is valid for 5 minutes; scope: ${scope}`);
  });

  it('alm registry token --fmt raw prints the whole response', async () => {
    const answer = await ann.json(['registry', 'token', '--fmt', 'raw']);
    expect(answer).toMatchObject({ expires_in: 300, issued_at: '2030-01-01T00:00:00Z' });
    expect(tokens.use(String(answer.token), 'registry:catalog:*')).toBe('good');
  });

  it('are written to a file that only its owner can read', async () => {
    for (const format of ['table', 'json']) {
      const file = join(ann.home, format);
      const { code, stdout } = await ann.run(['registry', 'token', '--out', file, '--fmt', format]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain('token-');
    }
  });

  it('are available in v2', async () => {
    tokens.path = '/v2/docker/token';
    const { code } = await ann.run(['registry', 'token', '--apiver', 'v2']);
    expect(code).toBe(0);
  });

  it('may have several scopes', async () => {
    const scope = 'repository:ann/shop:pull repository:ann/blog:pull';
    const { stdout } = await ann.run(['registry', 'token', '--scope', scope]);
    for (const each of scope.split(' ')) expect(tokens.use(stdout.trim(), each)).toBe('good');
  });

  it('come from the service that the registry names when Almanac does not issue them', async () => {
    tokens.path = '/elsewhere';
    registry.realm = `${tokens.url}/elsewhere`;
    tokens.service = 'another-registry';
    expect((await ann.run(['registry', 'token'])).stdout).toMatch(/^token-\d+\n$/);
    expect((await ann.run(['registry', 'catalog'])).stdout).toBe('ann/blog\nann/shop\n');
  });

  it('are renewed when they expire during a long list', async () => {
    registry.pageSize = 1;
    tokens.uses = 2;
    const { code, stdout } = await ann.run(['registry', 'tags', 'shop', '--fmt', 'min']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ name: 'ann/shop', tags: ['1.2', '1.3', '1.4', 'latest'] });
  });

  it('are for the service name of the registry, unless --service overrides it', async () => {
    tokens.service = 'another-registry';
    expect((await ann.run(['registry', 'tags', 'shop'])).code).toBe(0);
    expect((await ann.run(['registry', 'tags', 'shop', '--service', 'no-registry'])).code).toBe(5);
  });
});

describe('registry sign-in (with a fake registry and token service)', () => {
  it('fails with an invalid password', async () => {
    const { code, stderr } = await ann.run(['registry', 'catalog', '--password', 'wrong']);
    expect(code).toBe(4);
    expect(stderr).toContain('Invalid user name or password');
  });

  it.each([
    ['tags', 'repository:bob/cart:pull'],
    ['manifest', 'repository:bob/cart:pull'],
    ['delete', 'repository:bob/cart:*'],
  ])('%s exits with 5 when the token does not grant access', async (command, scope) => {
    const { code, stderr } = await ann.run(['registry', command, 'bob/cart:1']);
    expect(code).toBe(5);
    expect(stderr).toContain(`the token does not grant ${scope}`);
    expect(registry.tagsOf('bob/cart')).toEqual(['1']);
  });

  it('is not needed for a public registry', async () => {
    registry.tokens = null;
    const { code, stdout, stderr } = await anonymous.run(['registry', 'catalog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ann/blog\nann/shop\nbob/cart\n' });
    expect(stderr).toBe('[alm]: info: Catalog list\n');
    expect((await anonymous.run(['registry', 'delete', 'bob/cart:1'])).code).toBe(0);
    expect(tokens.passwordsSeen.size).toBe(0);
  });

  it('fails when neither Almanac nor the registry has a token service', async () => {
    registry.tokens = null;
    tokens.path = '/elsewhere';
    const { code, stderr } = await ann.run(['registry', 'token']);
    expect(code).toBe(6);
    expect(stderr).toContain('does not issue registry tokens, and the registry does not require one.');
  });

  it('never sends the password to an untrusted address that the registry names', async () => {
    tokens.path = '/elsewhere';
    registry.realm = 'http://tokens.invalid/token';
    const { code, stderr } = await ann.run(['registry', 'catalog']);
    expect(code).toBe(1);
    expect(stderr).toContain('The registry asks to send your password to http://tokens.invalid/token');
  });

  it('does not show the password or the token with --verbose', async () => {
    const { stderr } = await ann.run(['registry', 'catalog', '--verbose']);
    expect(stderr).toContain('[METHOD] GET');
    expect(stderr).not.toContain(annsPassword);
    expect(stderr).not.toContain(Buffer.from(`ann:${annsPassword}`).toString('base64'));
    expect(stderr).not.toMatch(/token-\d/);
  });

  it('never sends the password of another user', async () => {
    const { code } = await ann.run(['registry', 'catalog', '--username', 'bob']);
    expect(code).not.toBe(0);
    expect(tokens.passwordsSeen.has(annsPassword)).toBe(false);
  });

  it('uses the login in the native store, but only for the same service', async () => {
    keepInStore(anonymous, { url: tokens.url, password: annsPassword });
    expect((await anonymous.run(['registry', 'catalog'], { env: ownStore(anonymous) })).stdout).toContain(
      'ann/shop',
    );
    keepInStore(anonymous, { url: 'http://127.0.0.1:9', password: 'kept-elsewhere' });
    expect((await anonymous.run(['registry', 'catalog'], { env: ownStore(anonymous) })).code).toBe(2);
    expect([...tokens.passwordsSeen]).toEqual([annsPassword]);
  });

  it('sends the password from the native store to the service only', async () => {
    const elsewhere = new FakeTokens();
    await elsewhere.start();
    const url = tokens.url.replace('127.0.0.1', 'localhost');
    keepInStore(anonymous, { url, password: annsPassword });
    tokens.path = '/nowhere';
    registry.realm = `${elsewhere.url}${elsewhere.path}`;
    const env = { ...ownStore(anonymous), ALM_URL: url };
    const { stderr } = await anonymous.run(['registry', 'catalog'], { env });
    const { host } = elsewhere;
    await elsewhere.close();
    expect(stderr).toContain(`"Password for ${host}" is required`);
    expect(elsewhere.passwordsSeen.size).toBe(0);
  });

  it('prompts on a terminal without showing the password', async () => {
    const session = new PtySession(anonymous, ['registry', 'catalog']);
    await session.shows('Username: ');
    session.type('ann\r');
    await session.shows('Password: ');
    session.type(`${annsPassword}\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('ann/shop');
    expect(session.seen).not.toContain(annsPassword);
  });

  it('reports the address that cannot be reached', async () => {
    const { code, stderr } = await ann.run(['registry', 'catalog', '--rurl', 'http://127.0.0.1:9']);
    expect(code).toBe(8);
    expect(stderr).toContain('Connection to http://127.0.0.1:9 failed');
    expect(stderr).toContain('--rurl, ALM_REGISTRY_URL');
  });
});
