import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser } from '../alm.ts';
import { FakeAlmanac } from './fake-almanac.ts';

const host = 'registry.example.com:5000';
let almanac: FakeAlmanac;
let ann: AlmUser;

beforeEach(async () => {
  almanac = new FakeAlmanac();
  await almanac.start();
  ann = new AlmUser({ ALM_URL: almanac.url, ALM_TOKEN: 'login-of-ann' });
});

afterEach(async () => {
  await almanac.close();
  ann.close();
});

const inHome = (path: string): string => join(ann.home, path);
const docker = (): string => inHome('.docker/config.json');
const launcher = (): string => inHome('.local/bin/docker-credential-alm');
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

function write(path: string, text: string, mode = 0o600): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}

async function login(...args: string[]): Promise<string> {
  const { code, stderr, stdout } = await ann.run(['registry', 'login', ...args]);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '' });
  return stderr;
}

describe('alm registry login (with a fake service)', () => {
  it('writes the helper and a docker configuration that only its owner can read', async () => {
    const said = await login();
    expect(read(docker())).toEqual({ credHelpers: { [host]: 'alm' } });
    expect(modeOf(docker())).toBe(0o600);
    expect(modeOf(inHome('.docker'))).toBe(0o700);
    expect(modeOf(launcher())).toBe(0o755);
    expect(said).toContain(`docker push ${host}/ann/<name>`);
    expect(said).toContain('is not in your PATH');
    expect(readFileSync(inHome('.alm/config.yml'), 'utf8')).not.toContain('refresh-');
    expect(readFileSync(launcher(), 'utf8')).not.toContain('login-of-ann');
  });

  it('keeps all other content, the indentation and the mode of the docker configuration', async () => {
    const before = {
      auths: { 'https://index.docker.io/v1/': { auth: 'YW5uOnNlY3JldA==' }, 'other.example.com': {} },
      HttpHeaders: { 'User-Agent': 'Docker-Client' },
      credHelpers: { 'gcr.example.com': 'gcloud' },
      detachKeys: 'ctrl-e,e',
      plugins: { x: { enabled: 'true', list: [1, 2.5, null] } },
    };
    write(docker(), JSON.stringify(before, null, '   '), 0o640);
    await login();
    const after = { ...before, credHelpers: { ...before.credHelpers, [host]: 'alm' } };
    expect(readFileSync(docker(), 'utf8')).toBe(JSON.stringify(after, null, '   '));
    expect(modeOf(docker())).toBe(0o640);
    expect(readdirSync(inHome('.docker'))).toEqual(['config.json']);
  });

  it('removes credentials of the registry that docker had stored in plain text', async () => {
    const secret = Buffer.from('ann:secret').toString('base64');
    write(docker(), JSON.stringify({ auths: { [host]: { auth: secret }, other: { auth: 'x' } } }));
    expect(await login()).toContain(`Removed the credentials of ${host}`);
    expect(read(docker())).toEqual({ auths: { other: { auth: 'x' } }, credHelpers: { [host]: 'alm' } });
  });

  it('keeps a symbolic link to the docker configuration', async () => {
    write(inHome('dotfiles/docker.json'), '{}');
    mkdirSync(inHome('.docker'));
    symlinkSync(inHome('dotfiles/docker.json'), docker());
    await login();
    expect(lstatSync(docker()).isSymbolicLink()).toBe(true);
    expect(read(inHome('dotfiles/docker.json'))).toEqual({ credHelpers: { [host]: 'alm' } });
  });

  it('names the helper in the authentication files of podman that exist, and creates none', async () => {
    const env = { XDG_RUNTIME_DIR: inHome('run'), REGISTRY_AUTH_FILE: inHome('own-auth.json') };
    write(inHome('own-auth.json'), '');
    write(inHome('.config/containers/auth.json'), '{"auths":{"quay.example.com":{"auth":"x"}}}');
    expect((await ann.run(['registry', 'login'], { env })).code).toBe(0);
    expect(read(inHome('own-auth.json'))).toEqual({ credHelpers: { [host]: 'alm' } });
    expect(read(inHome('.config/containers/auth.json'))).toEqual({
      auths: { 'quay.example.com': { auth: 'x' } },
      credHelpers: { [host]: 'alm' },
    });
    expect(existsSync(inHome('run'))).toBe(false);
  });

  it.each(['{"auths": {"x": {"auth": "c2VjcmV0"}', '[]', '"text"'])(
    'does not change a docker configuration that it cannot read: %s',
    async (text) => {
      write(docker(), text);
      const { code, stderr } = await ann.run(['registry', 'login']);
      expect(code).toBe(1);
      expect(stderr).toContain(`Cannot change ${docker()}: it is not a JSON object.`);
      expect(stderr).not.toContain('c2VjcmV0');
      expect(readFileSync(docker(), 'utf8')).toBe(text);
    },
  );

  it('changes no file when the service refuses the login', async () => {
    almanac.tokens.clear();
    const { code, stderr } = await ann.run(['registry', 'login']);
    expect(code).toBe(4);
    expect(stderr).toContain('alm login');
    expect(existsSync(docker()) || existsSync(launcher())).toBe(false);
  });

  it('says what to do when the service issues no refresh tokens, as to API clients', async () => {
    almanac.apiClients.add('login-of-ci');
    const { code, stderr } = await ann.run(['registry', 'login'], { env: { ALM_TOKEN: 'login-of-ci' } });
    expect(code).toBe(1);
    expect(stderr).toContain('issues no refresh tokens to API clients');
    expect(stderr).toContain('ALM_CLIENT_ID');
    expect(stderr).toContain('docker login <registry>');
  });

  it('twice changes nothing, and never replaces another program', async () => {
    await login();
    const before = [docker(), launcher(), inHome('.alm/config.yml')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    await login();
    const after = [docker(), launcher(), inHome('.alm/config.yml')].map((path) => readFileSync(path, 'utf8'));
    expect(after).toEqual(before);
    write(inHome('bin/docker-credential-alm'), '#!/bin/sh\necho mine\n', 0o755);
    const { code, stderr } = await ann.run(['registry', 'login', '--dir', inHome('bin')]);
    expect(code).toBe(1);
    expect(stderr).toContain('is another program');
    expect(readFileSync(inHome('bin/docker-credential-alm'), 'utf8')).toContain('echo mine');
  });

  it('updates the helper where an earlier login wrote it, if that is in the PATH', async () => {
    await login('--dir', inHome('tools'));
    const env = { PATH: `${inHome('tools')}:${process.env.PATH}` };
    const { stderr } = await ann.run(['registry', 'login'], { env });
    expect(stderr).toContain(`Helper: ${inHome('tools/docker-credential-alm')}`);
    expect(stderr).not.toContain('is not in your PATH');
    expect(existsSync(launcher())).toBe(false);
  });

  it('does not give tokens to a registry that is not the one of the service', async () => {
    const { code, stderr } = await ann.run(['registry', 'login', '--rurl', 'https://other.example.com']);
    expect(code).toBe(1);
    expect(stderr).toContain(`https://other.example.com is not the registry of ${almanac.url}`);
    expect(stderr).toContain(`Its registry is http://${host}`);
    expect(existsSync(docker()) || existsSync(launcher())).toBe(false);
    await login('--rurl', `https://${host}`);
  });

  it('uses the registry that is given with --rurl if the service reports none', async () => {
    almanac.registryUrl = null;
    await login('--rurl', 'https://other.example.com');
    expect(read(docker())).toEqual({ credHelpers: { 'other.example.com': 'alm' } });
  });
});

describe('alm registry logout (with a fake service)', () => {
  it('removes the helper from all files, keeps the rest, and works without the service', async () => {
    write(docker(), '{"auths":{"x":{}},"credHelpers":{"y":"other"}}');
    write(inHome('.config/containers/auth.json'), '{}');
    await login();
    await almanac.close();
    const { code, stderr } = await ann.run(['registry', 'logout']);
    expect(code).toBe(0);
    expect(stderr).toContain(`no longer use the login of alm for ${host}`);
    expect(read(docker())).toEqual({ auths: { x: {} }, credHelpers: { y: 'other' } });
    expect(read(inHome('.config/containers/auth.json'))).toEqual({});
    expect((await ann.run(['registry', 'logout'])).stderr).toContain('Nothing was changed');
    await almanac.start();
  });

  it('removes a helper that belongs to no profile any more, as docker logout leaves it', async () => {
    await login();
    expect((await ann.run(['registry', 'credential', 'erase'], { input: host })).code).toBe(0);
    const others = { 'work.example.com': 'alm', 'other.example.com': 'pass' };
    write(docker(), JSON.stringify({ credHelpers: { [host]: 'alm', ...others } }));
    const config = read(inHome('.alm/config.yml')) as object;
    const registries = { 'work.example.com': 'work' };
    write(inHome('.alm/config.yml'), JSON.stringify({ ...config, profiles: { work: {} }, registries }));
    expect((await ann.run(['registry', 'logout'])).code).toBe(0);
    expect(read(docker())).toEqual({ credHelpers: others });
    expect((await ann.run(['profile', 'delete', 'work'])).code).toBe(0);
    expect(read(docker())).toEqual({ credHelpers: { 'other.example.com': 'pass' } });
  });

  it('keeps a helper of another program', async () => {
    write(docker(), JSON.stringify({ credHelpers: { [host]: 'pass' } }));
    expect((await ann.run(['registry', 'logout', '--rurl', `http://${host}`])).code).toBe(0);
    expect(read(docker())).toEqual({ credHelpers: { [host]: 'pass' } });
  });
});
