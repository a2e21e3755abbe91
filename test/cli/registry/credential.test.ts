import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ended } from '../../e2e/almanac-process.ts';
import { AlmUser } from '../alm.ts';
import { FakeAlmanac } from './fake-almanac.ts';

const host = 'registry.example.com:5000';
let almanac: FakeAlmanac;
let ann: AlmUser;

beforeEach(async () => {
  almanac = new FakeAlmanac();
  await almanac.start();
  ann = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: 'login-of-ann' });
  expect((await ann.run(['registry', 'login'])).code).toBe(0);
});

afterEach(async () => {
  await almanac.close();
  ann.close();
});

/** Runs the helper as container tools do. */
const helper = (action: string, input: string, env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const path = join(ann.home, '.local/bin/docker-credential-alm');
    const options = { env: { ...ann.environment, PATH: '/usr/bin:/bin', ...env } };
    const child = execFile(path, [action], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });

describe('docker-credential-alm (with a fake service)', () => {
  it.each([host, `https://${host}`, `http://${host}/v2/`, `${host}\n`])(
    'get returns a fresh refresh token for %j',
    async (server) => {
      const { code, stdout, stderr } = await helper('get', server);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        ServerURL: server.trim(),
        Username: '<token>',
        Secret: expect.stringMatching(/^refresh-\d+$/),
      });
    },
  );

  it('get has nothing for another registry, in the words that container tools know', async () => {
    const { code, stdout, stderr } = await helper('get', 'https://index.docker.io/v1/');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: 'credentials not found in native keychain\n',
      stderr: '',
    });
  });

  it('get says on both outputs that the login has ended', async () => {
    almanac.tokens.clear();
    const { code, stdout, stderr } = await helper('get', host);
    expect(code).toBe(4);
    expect(stdout).toContain('alm login');
    expect(stderr).toContain('alm login');
    expect(stdout + stderr).not.toContain('login-of-ann');
  });

  it('get says that the service does not answer', async () => {
    const { url } = almanac;
    await almanac.close();
    const { code, stdout } = await helper('get', host);
    expect(code).toBe(8);
    expect(stdout).toContain(`Connection to ${url} failed`);
    await almanac.start();
  });

  it('get passes on the id and secret of an API client in the environment, which gets no refresh token', async () => {
    almanac.issuesRefreshTokens = false;
    const env = { ALM_CLIENT_ID: 'ci', ALM_CLIENT_SECRET: 'secret-of-ci' };
    expect(JSON.parse((await helper('get', host, env)).stdout)).toEqual({
      ServerURL: host,
      Username: 'ci',
      Secret: 'secret-of-ci',
    });
  });

  it('get passes on the id and secret of an API client in the credential store', async () => {
    almanac.apiClients.add('login-of-ci');
    const signIn = { clientId: 'ci', clientSecret: 'secret-of-ci' };
    const kept = { token: 'login-of-ci', expires: '2100-01-01T00:00:00Z', url: almanac.url, signIn };
    writeFileSync(join(ann.home, 'kept'), JSON.stringify(kept));
    const program = '#!/bin/sh\ncase "$*" in *"profile default") cat "$HOME/kept";; *) exit 1;; esac\n';
    writeFileSync(join(ann.home, 'secret-tool'), program, { mode: 0o755 });
    const env = {
      ALM_TOKEN: '',
      PATH: `${ann.home}:/usr/bin:/bin`,
      ALM_CREDENTIAL_STORE: 'secret-service',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    };
    expect(JSON.parse((await helper('get', host, env)).stdout)).toMatchObject({
      Username: 'ci',
      Secret: 'secret-of-ci',
    });
  });

  it('get uses the profile of the login, whichever is the current one', async () => {
    const other = new FakeAlmanac();
    await other.start();
    other.tokens.add('login-of-work');
    other.registryUrl = 'https://work.example.com';
    const env = { ALM_URL: '', ALM_TOKEN: '' };
    const file = join(ann.home, '.alm/config.yml');
    const members = JSON.parse(readFileSync(file, 'utf8')) as object;
    const work = { api_url: other.url, access_token: 'login-of-work' };
    writeFileSync(file, JSON.stringify({ ...members, profiles: { work } }));
    expect((await ann.run(['registry', 'login', '--profile', 'work'], { env })).code).toBe(0);
    const { code, stdout } = await helper('get', 'work.example.com', env);
    await other.close();
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('refresh-2') });
  });

  it('store accepts what docker login got from the helper, and keeps nothing', async () => {
    const file = join(ann.home, '.alm/config.yml');
    const before = readFileSync(file, 'utf8');
    const stored = { ServerURL: `https://${host}`, Username: '<token>', Secret: 'a-token' };
    const { code, stderr } = await helper('store', JSON.stringify(stored));
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing was stored'),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    { ServerURL: host, Username: 'bob', Secret: 'a-password' },
    { ServerURL: 'other.example.com', Username: '<token>', Secret: 'a-password' },
  ])('store refuses credentials of others: %j', async (stored) => {
    const { code, stdout, stderr } = await helper('store', JSON.stringify(stored));
    expect(code).toBe(1);
    expect(stdout).toContain('stores no others');
    expect(stdout).toContain('alm registry logout');
    expect(stdout + stderr).not.toContain('a-password');
  });

  it('store does not show input that it cannot read', async () => {
    const { code, stdout, stderr } = await helper('store', '{"Secret":"a-password"');
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain('a-password');
  });

  it('list names the registries, and erase forgets one', async () => {
    expect(JSON.parse((await helper('list', '')).stdout)).toEqual({ [host]: '<token>' });
    expect((await helper('erase', `https://${host}`)).code).toBe(0);
    expect((await helper('erase', 'unknown.example.com')).code).toBe(0);
    expect(JSON.parse((await helper('list', '')).stdout)).toEqual({});
    expect((await helper('get', host)).stdout).toContain('credentials not found');
  });

  it('an unknown action is an error', async () => {
    expect((await helper('destroy', host)).code).toBe(2);
  });
});
