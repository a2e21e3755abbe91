import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { login } from '../../e2e/almanac-process.ts';
import { AlmUser, type Served, serveForAlm } from '../alm.ts';
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
const whole = ['-i', login.client_id, '-s', login.client_secret, '-u', login.username, '-p', login.password];
const signIn = (...more: string[]) => user.run(['login', '--url', url, ...whole, ...more]);
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

describe('two servers', () => {
  let other: OtherServer;
  let otherUrl: string;
  beforeEach(async () => {
    other = new OtherServer();
    otherUrl = await other.start();
    return () => other.close();
  });
  const seen = () => other.shown.join('\n');

  it('have a profile each, and neither sees what belongs to the other', async () => {
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
    expect((await user.run(['profile', 'delete', 'work'])).stderr).toContain('default is used from now on');
    expect(config()).not.toHaveProperty('profiles');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('are told apart when only the address is changed: a saved token stays at home', async () => {
    await signIn();
    for (const env of [{}, { ALM_URL: otherUrl }]) {
      const ended = await user.run(['stack', 'list', ...(env.ALM_URL ? [] : ['--url', otherUrl])], { env });
      expect(ended).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`not signed in at ${otherUrl}`),
      });
    }
    expect((await user.run(['stack', 'list', '--url', otherUrl, '--token', 'given'])).code).toBe(0);
    expect(other.shown.filter((each) => each !== '')).toEqual(['Bearer given']);
  });

  it('cannot share a profile that is not there, nor lose the default one', async () => {
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
  it('remembers addresses by name', async () => {
    const unknown = await user.run(['login', '--endpoints', 'dev', ...whole]);
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
      ...whole,
    ];
    expect((await user.run(made)).code).toBe(0);
    await user.run(['reset']);
    expect(config().api_url).toBe('http://127.0.0.1:8080');
    expect((await user.run(['login', '--endpoints', 'dev', ...whole])).code).toBe(0);
    expect(config()).toMatchObject({ api_url: url, registry_url: 'https://images.example.com' });
    expect((await user.run(['login', '--endpoints', 'qa', ...whole])).code).toBe(2);
  });

  it('belong together: another service does not keep the registry and gateway of the last one', async () => {
    await user.run([
      'login',
      '--url',
      url,
      '--rurl',
      'https://r.example.com',
      '--surl',
      'https://s.example.com',
      ...whole,
    ]);
    expect(config()).toMatchObject({
      registry_url: 'https://r.example.com',
      gateway_url: 'https://s.example.com',
    });
    await user.run(['login', ...whole]);
    expect(config()).toMatchObject({
      registry_url: 'https://r.example.com',
      gateway_url: 'https://s.example.com',
    });
    await user.run(['login', '--url', url.replace('127.0.0.1', 'localhost'), ...whole]);
    expect(config()).toMatchObject({ registry_url: 'http://127.0.0.1:5000', gateway_url: '' });
  });
});

describe('reset', () => {
  it('goes back to the defaults in the profile in use, and leaves the others', async () => {
    await signIn('--apiver', 'v2', '--indent', '4');
    await signIn('--profile', 'work');
    const ended = await user.run(['reset']);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('back to the defaults') });
    const { profiles, ...own } = config();
    expect(own).toEqual(defaults);
    expect(profiles).toMatchObject({ work: { api_url: url } });
    expect((await user.run(['reset', '--profile', 'work'])).code).toBe(0);
    expect(config()).toMatchObject({ profiles: { work: defaults } });
  });

  it.each([
    ['no YAML', '{{{ : garbage'],
    ['something else', '- a\n- list\n'],
    ['a wrong setting', 'timeout: soon\naccess_token: abc\n'],
  ])('mends a file that holds %s', async (_name, content) => {
    mkdirSync(join(user.home, '.alm'));
    writeFileSync(file(), content);
    expect((await user.run(['stack', 'list', '--url', url])).code).not.toBe(0);
    expect((await user.run(['reset'])).code).toBe(0);
    expect(config()).toEqual(defaults);
    expect((await user.run(['profile', 'list'])).code).toBe(0);
  });

  it('goes back to the default profile when the file names one that is not there', async () => {
    await signIn();
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('{', '{ "profile": "gone",'));
    expect((await user.run(['stack', 'list'])).code).toBe(2);
    expect((await user.run(['reset'])).stderr).toContain('default is used from now on');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('works before anything was signed in', async () => {
    expect((await user.run(['reset'])).code).toBe(0);
    expect(config()).toEqual(defaults);
  });
});

describe('the file', () => {
  it('stays a link where it is one, and leaves nothing beside it', async () => {
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
