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
let somebody: AlmUser;

beforeEach(async () => {
  world = await RegistryWorld.start();
  ({ tokens, registry } = world);
  ann = world.makeAnn();
  somebody = world.makeSomebody();
});

afterEach(async () => {
  await world.close();
  ann.close();
  somebody.close();
});

/** Stands for the program of the native store: our own fake, which gives what is in a file. */
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

describe('a token, with our own fake of a registry and its token service', () => {
  it('comes alone on standard output, and is good', async () => {
    const scope = 'repository:ann/shop:pull';
    const { code, stdout, stderr } = await ann.run(['registry', 'token', '--scope', scope]);
    expect(code).toBe(0);
    expect(tokens.use(stdout.replace(/\n$/, ''), scope)).toBe('good');
    expect(stderr).toContain(`info: It is good for 5 minutes and for: ${scope}`);
  });

  it('comes with the whole answer as well', async () => {
    const answer = await ann.json(['registry', 'token', '--fmt', 'raw']);
    expect(answer).toMatchObject({ expires_in: 300, issued_at: '2030-01-01T00:00:00Z' });
    expect(tokens.use(String(answer.token), 'registry:catalog:*')).toBe('good');
  });

  it('is written to a file that others cannot read', async () => {
    for (const format of ['table', 'json']) {
      const file = join(ann.home, format);
      const { code, stdout } = await ann.run(['registry', 'token', '--out', file, '--fmt', format]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain('token-');
    }
  });

  it('comes from the other version of the interface', async () => {
    tokens.path = '/v2/docker/token';
    const { code } = await ann.run(['registry', 'token', '--apiver', 'v2']);
    expect(code).toBe(0);
  });

  it('may be for several scopes', async () => {
    const scope = 'repository:ann/shop:pull repository:ann/blog:pull';
    const { stdout } = await ann.run(['registry', 'token', '--scope', scope]);
    for (const each of scope.split(' ')) expect(tokens.use(stdout.trim(), each)).toBe('good');
  });

  it('comes from where the registry says when Almanac has none', async () => {
    tokens.path = '/elsewhere';
    registry.realm = `${tokens.url}/elsewhere`;
    tokens.service = 'another-registry';
    expect((await ann.run(['registry', 'token'])).stdout).toMatch(/^token-\d+\n$/);
    expect((await ann.run(['registry', 'catalog'])).stdout).toBe('ann/blog\nann/shop\n');
  });

  it('is replaced when it expires in the middle of a long list', async () => {
    registry.pageSize = 1;
    tokens.uses = 2;
    const { code, stdout } = await ann.run(['registry', 'tags', 'shop', '--fmt', 'min']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ name: 'ann/shop', tags: ['1.2', '1.3', '1.4', 'latest'] });
  });

  it('is for what the registry calls itself, unless the user knows better', async () => {
    tokens.service = 'another-registry';
    expect((await ann.run(['registry', 'tags', 'shop'])).code).toBe(0);
    expect((await ann.run(['registry', 'tags', 'shop', '--service', 'no-registry'])).code).toBe(5);
  });
});

describe('who comes, with our own fake of a registry and its token service', () => {
  it('must have the right password', async () => {
    const { code, stderr } = await ann.run(['registry', 'catalog', '--password', 'wrong']);
    expect(code).toBe(4);
    expect(stderr).toContain('The user name or the password is wrong');
  });

  it.each([
    ['tags', 'repository:bob/cart:pull'],
    ['manifest', 'repository:bob/cart:pull'],
    ['delete', 'repository:bob/cart:*'],
  ])('must be allowed to: %s', async (command, scope) => {
    const { code, stderr } = await ann.run(['registry', command, 'bob/cart:1']);
    expect(code).toBe(5);
    expect(stderr).toContain(`the token is not good for ${scope}`);
    expect(registry.tagsOf('bob/cart')).toEqual(['1']);
  });

  it('is nobody where the registry is open to all', async () => {
    registry.tokens = null;
    const { code, stdout, stderr } = await somebody.run(['registry', 'catalog']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ann/blog\nann/shop\nbob/cart\n' });
    expect(stderr).toBe('[alm]: info: Catalog list\n');
    expect((await somebody.run(['registry', 'delete', 'bob/cart:1'])).code).toBe(0);
    expect(tokens.passwordsSeen.size).toBe(0);
  });

  it('gets no token where there are none', async () => {
    registry.tokens = null;
    tokens.path = '/elsewhere';
    const { code, stderr } = await ann.run(['registry', 'token']);
    expect(code).toBe(6);
    expect(stderr).toContain('gives no tokens for registries, and the registry asks for none.');
  });

  it('keeps the password from places the registry has no business to name', async () => {
    tokens.path = '/elsewhere';
    registry.realm = 'http://tokens.invalid/token';
    const { code, stderr } = await ann.run(['registry', 'catalog']);
    expect(code).toBe(1);
    expect(stderr).toContain('The registry wants your password sent to http://tokens.invalid/token');
  });

  it('does not show password or token with --verbose', async () => {
    const { stderr } = await ann.run(['registry', 'catalog', '--verbose']);
    expect(stderr).toContain('[METHOD] GET');
    expect(stderr).not.toContain(annsPassword);
    expect(stderr).not.toContain(Buffer.from(`ann:${annsPassword}`).toString('base64'));
    expect(stderr).not.toMatch(/token-\d/);
  });

  it('has no use of the password of another', async () => {
    const { code } = await ann.run(['registry', 'catalog', '--username', 'bob']);
    expect(code).not.toBe(0);
    expect(tokens.passwordsSeen.has(annsPassword)).toBe(false);
  });

  it('is who signed in, as the native store keeps it, and nobody elsewhere', async () => {
    keepInStore(somebody, { url: tokens.url, password: annsPassword });
    expect((await somebody.run(['registry', 'catalog'], { env: ownStore(somebody) })).stdout).toContain(
      'ann/shop',
    );
    keepInStore(somebody, { url: 'http://127.0.0.1:9', password: 'kept-elsewhere' });
    expect((await somebody.run(['registry', 'catalog'], { env: ownStore(somebody) })).code).toBe(2);
    expect([...tokens.passwordsSeen]).toEqual([annsPassword]);
  });

  it('has what the native store keeps for the service shown to the service alone', async () => {
    const elsewhere = new FakeTokens();
    await elsewhere.start();
    const url = tokens.url.replace('127.0.0.1', 'localhost');
    keepInStore(somebody, { url, password: annsPassword });
    tokens.path = '/nowhere';
    registry.realm = `${elsewhere.url}${elsewhere.path}`;
    const env = { ...ownStore(somebody), ALM_URL: url };
    const { stderr } = await somebody.run(['registry', 'catalog'], { env });
    const { host } = elsewhere;
    await elsewhere.close();
    expect(stderr).toContain(`"Password for ${host}" is required`);
    expect(elsewhere.passwordsSeen.size).toBe(0);
  });

  it('is asked on a terminal, without showing the password', async () => {
    const session = new PtySession(somebody, ['registry', 'catalog']);
    await session.shows('Username: ');
    session.type('ann\r');
    await session.shows('Password: ');
    session.type(`${annsPassword}\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('ann/shop');
    expect(session.seen).not.toContain(annsPassword);
  });

  it('is told which address does not answer', async () => {
    const { code, stderr } = await ann.run(['registry', 'catalog', '--rurl', 'http://127.0.0.1:9']);
    expect(code).toBe(8);
    expect(stderr).toContain('Connection to http://127.0.0.1:9 failed');
    expect(stderr).toContain('--rurl, ALM_REGISTRY_URL');
  });
});
