import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AlmUser, loginFlags, type Served, serveForAlm } from '../alm.ts';
import { OtherServer } from '../other-server.ts';

let served: Served;
let url: string;
let user: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  ({ url } = served.server);
});
afterAll(() => served.close());
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

const file = (): string => join(user.home, '.alm', 'config.yml');
const config = (): Record<string, unknown> => parse(readFileSync(file(), 'utf8')) as Record<string, unknown>;
const signIn = (...more: string[]) => user.run(['login', '--url', url, ...loginFlags, ...more]);
const defaults = {
  access_token: '',
  token_expires: '',
  api_url: 'http://127.0.0.1:8080',
  registry_url: 'http://127.0.0.1:5000',
  gateway_url: '',
  api_version: 'v3',
  indent: 2,
  timeout: 120,
  verbose: false,
  debug: false,
};

describe('profiles of two servers', () => {
  let other: OtherServer;
  let otherUrl: string;
  beforeEach(async () => {
    other = new OtherServer();
    otherUrl = await other.start();
    return () => other.close();
  });
  const seen = () => other.received.join('\n');

  it('each profile uses its own server, and neither server receives the token of the other', async () => {
    await signIn();
    const made = await user.run([
      'login',
      '--profile',
      'work',
      '--url',
      otherUrl,
      '-i',
      'a',
      '-s',
      'b',
      '-u',
      'c',
      '-p',
      'd',
    ]);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('alm profile use work') });
    expect((await user.run(['stack', 'list'])).code).toBe(0);
    expect((await user.run(['stack', 'list', '--profile', 'work'])).code).toBe(0);
    expect((await user.run(['stack', 'list'], { env: { ALM_PROFILE: 'work' } })).code).toBe(0);
    expect(seen()).toContain('Bearer token-of-the-other');
    expect(seen()).not.toContain(config().access_token);

    const { stdout } = await user.run(['profile', 'list']);
    expect(stdout).toMatch(/^PROFILE +CURRENT +URL +API +SIGNED IN\n/);
    expect(stdout).toMatch(/\ndefault +\* .* until /);
    expect((await user.run(['profile', 'use', 'work'])).code).toBe(0);
    expect((await user.run(['profile', 'list'])).stdout).toMatch(/\nwork +\* /);
    expect((await user.run(['profile', 'delete', 'work'])).stderr).toContain('to profile default.');
    expect(config()).not.toHaveProperty('profiles');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('a saved token is not sent to another URL', async () => {
    await signIn();
    for (const env of [{}, { ALM_URL: otherUrl }]) {
      const ended = await user.run(['stack', 'list', ...(env.ALM_URL ? [] : ['--url', otherUrl])], { env });
      expect(ended).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`not signed in at ${otherUrl}`),
      });
    }
    expect((await user.run(['stack', 'list', '--url', otherUrl, '--token', 'given'])).code).toBe(0);
    expect(other.received.filter((each) => each !== '')).toEqual(['Bearer given']);
  });

  it('rejects unknown profiles, invalid names and deletion of the default profile', async () => {
    const unknown = await user.run(['stack', 'list', '--profile', 'wrok']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('alm login --profile wrok') });
    expect((await user.run(['profile', 'use', 'wrok'])).code).toBe(2);
    expect((await user.run(['profile', 'delete', 'wrok'])).code).toBe(2);
    expect((await user.run(['reset', '--profile', 'wrok'])).code).toBe(2);
    expect((await user.run(['profile', 'delete', 'default'])).code).toBe(2);
    expect((await signIn('--profile', '../x')).code).toBe(2);
  });
});

describe('--endpoints', () => {
  it('--endpoints saves URLs by name', async () => {
    const unknown = await user.run(['login', '--endpoints', 'dev', ...loginFlags]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('alm login --endpoints dev --url');
    const made = [
      'login',
      '--endpoints',
      'dev',
      '--url',
      url,
      '--rurl',
      'https://images.example.com',
      ...loginFlags,
    ];
    expect((await user.run(made)).code).toBe(0);
    await user.run(['reset']);
    expect(config().api_url).toBe('http://127.0.0.1:8080');
    expect((await user.run(['login', '--endpoints', 'dev', ...loginFlags])).code).toBe(0);
    expect(config()).toMatchObject({ api_url: url, registry_url: 'https://images.example.com' });
    expect((await user.run(['login', '--endpoints', 'qa', ...loginFlags])).code).toBe(2);
  });

  it('a login at another service resets the registry and gateway URLs', async () => {
    await user.run([
      'login',
      '--url',
      url,
      '--rurl',
      'https://r.example.com',
      '--surl',
      'https://s.example.com',
      ...loginFlags,
    ]);
    expect(config()).toMatchObject({
      registry_url: 'https://r.example.com',
      gateway_url: 'https://s.example.com',
    });
    await user.run(['login', ...loginFlags]);
    expect(config()).toMatchObject({
      registry_url: 'https://r.example.com',
      gateway_url: 'https://s.example.com',
    });
    await user.run(['login', '--url', url.replace('127.0.0.1', 'localhost'), ...loginFlags]);
    expect(config()).toMatchObject({ registry_url: 'http://127.0.0.1:5000', gateway_url: '' });
  });
});

describe('reset', () => {
  it('reset restores the defaults of the current profile and keeps the others', async () => {
    await signIn('--apiver', 'v2', '--indent', '4');
    await signIn('--profile', 'work');
    const ended = await user.run(['reset']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('reset to the defaults') });
    const { profiles, ...own } = config();
    expect(own).toEqual(defaults);
    expect(profiles).toMatchObject({ work: { api_url: url } });
    expect((await user.run(['reset', '--profile', 'work'])).code).toBe(0);
    expect(config()).toMatchObject({ profiles: { work: defaults } });
  });

  it.each([
    ['invalid YAML', '{{{ : garbage'],
    ['a list', '- a\n- list\n'],
    ['an invalid setting', 'timeout: soon\naccess_token: abc\n'],
  ])('reset repairs a file with %s', async (_name, content) => {
    mkdirSync(join(user.home, '.alm'));
    writeFileSync(file(), content);
    expect((await user.run(['stack', 'list', '--url', url])).code).not.toBe(0);
    expect((await user.run(['reset'])).code).toBe(0);
    expect(config()).toEqual(defaults);
    expect((await user.run(['profile', 'list'])).code).toBe(0);
  });

  it('reset selects the default profile when the file names an unknown one', async () => {
    await signIn();
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('{', '{ "profile": "gone",'));
    expect((await user.run(['stack', 'list'])).code).toBe(2);
    expect((await user.run(['reset'])).stderr).toContain('to profile default.');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('reset works before the first login', async () => {
    expect((await user.run(['reset'])).code).toBe(0);
    expect(config()).toEqual(defaults);
  });
});

describe('the configuration file', () => {
  it('a symbolic link stays a link, and no temporary file is left', async () => {
    mkdirSync(join(user.home, '.alm'));
    const target = join(user.home, 'kept-elsewhere.yml');
    writeFileSync(target, '', { mode: 0o644 });
    symlinkSync(target, file());
    expect((await signIn()).code).toBe(0);
    expect(parse(readFileSync(target, 'utf8'))).toMatchObject({ api_url: url });
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(user.home)).toEqual(['.alm', 'kept-elsewhere.yml']);
  });
});
