import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../http.ts';
import { AlmUser } from '../alm.ts';
import { FakeServer, freshToken, isSignIn, sendError, sendJson } from './fake-server.ts';
import { runBriefly } from './run.ts';

/** A fake server: every login succeeds, and there are no stacks. */
let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  server = await FakeServer.start((request, response) => {
    if (isSignIn(request)) return sendJson(response, 200, freshToken('token-of-a-fake-server'));
    if (request.path.endsWith('/mo-none')) return sendError(response, 404, 'Stack mo-none does not exist');
    return sendJson(response, 200, []);
  });
});
beforeEach(() => void (user = new AlmUser()));
afterEach(() => {
  server.requests.splice(0);
  user.close();
});
afterAll(() => server.close());

const file = (): string => join(user.home, '.alm', 'config.yml');
const writeConfig = (text: string): void => {
  mkdirSync(dirname(file()), { recursive: true });
  writeFileSync(file(), text, { mode: 0o600 });
};
const config = (): Json => JSON.parse(readFileSync(file(), 'utf8')) as Json;
const credentials = ['-i', 'lg-1', '-s', 'client-secret', '-u', 'root', '-p', 'the-password'];
const login = (...more: string[]) =>
  runBriefly(user, ['login', '--url', server.url, ...credentials, ...more], { seconds: 18 });
const twelve = Array.from({ length: 12 }, (_, index) => `p${index}`);
const profilesIn = (found: Json): string[] => Object.keys(found.profiles ?? {}).toSorted();

describe('concurrent changes', () => {
  it('the file contains all profiles of concurrent logins, and none after concurrent deletions', async () => {
    const signedIn = await Promise.all(twelve.map((name) => login('--profile', name)));
    expect(signedIn.map(({ code, stderr }) => [code, stderr.includes('Login successful.')])).toEqual(
      twelve.map(() => [0, true]),
    );
    expect(profilesIn(config())).toEqual(twelve.toSorted());
    expect(readdirSync(dirname(file()))).toEqual(['config.yml']);
    expect(statSync(file()).mode & 0o777).toBe(0o600);

    const deleted = await Promise.all(
      twelve.map((name) => runBriefly(user, ['profile', 'delete', name], { seconds: 18 })),
    );
    expect(deleted.map(({ code }) => code)).toEqual(twelve.map(() => 0));
    expect(profilesIn(config())).toEqual([]);
    expect(readdirSync(dirname(file()))).toEqual(['config.yml']);
  });
});

describe('the configuration file', () => {
  it('an error about an invalid setting says how to restore the defaults', async () => {
    writeConfig(`indent: abc\napi_url: ${server.url}\naccess_token: a-token\n`);
    const { code, stdout, stderr } = await runBriefly(user, ['stack', 'list']);
    expect([2, 1]).toContain(code);
    expect(stdout).toBe('');
    expect(stderr).toContain(`Invalid value for indent in ${file()}: "abc"`);
    expect(stderr).toContain('alm reset');
    expect((await runBriefly(user, ['reset'])).code).toBe(0);
    expect(config()).toMatchObject({ indent: 2, access_token: '' });
  });

  it('an error about an invalid variable does not name the file', async () => {
    const { code, stderr } = await runBriefly(user, ['stack', 'list'], { env: { ALM_INDENT: 'abc' } });
    expect(code).toBe(2);
    expect(stderr).toContain('Invalid value for ALM_INDENT: "abc"');
    expect(stderr).not.toContain('alm reset');
  });

  it('the file is in the home directory if XDG_CONFIG_HOME is a relative path', async () => {
    for (const name of ['here', './here', 'a/b']) {
      const env = { XDG_CONFIG_HOME: name };
      const args = ['login', '--url', server.url, ...credentials];
      expect((await runBriefly(user, args, { env })).code).toBe(0);
      expect(config()).toMatchObject({ access_token: 'token-of-a-fake-server' });
      expect(existsSync(join(user.home, name))).toBe(false);
    }
  });

  it('the file is in XDG_CONFIG_HOME if that is an absolute path', async () => {
    const XDG_CONFIG_HOME = join(user.home, 'settings');
    const args = ['login', '--url', server.url, ...credentials];
    expect((await runBriefly(user, args, { env: { XDG_CONFIG_HOME } })).code).toBe(0);
    expect(readFileSync(join(XDG_CONFIG_HOME, 'alm', 'config.yml'), 'utf8')).toContain(
      'token-of-a-fake-server',
    );
    expect(existsSync(file())).toBe(false);
  });

  it('reads a YAML file with comments', async () => {
    writeConfig(
      [
        '# my server',
        `api_url: ${server.url} # in the basement`,
        "access_token: 'written-by-hand'",
        'indent: 4',
        'profiles:',
        '  # the other one',
        '  work: { api_url: "https://almanac.example.org" }',
        '',
      ].join('\n'),
    );
    expect((await runBriefly(user, ['stack', 'list'])).code).toBe(0);
    expect(server.requests.map(({ token }) => token)).toEqual(['written-by-hand']);
    const { stdout } = await runBriefly(user, ['profile', 'list', '--fmt', 'json']);
    expect(stdout).toContain('https://almanac.example.org');
    expect(stdout).toContain('\n        "');
  });

  it('alm writes JSON that is valid YAML, and keeps other settings', async () => {
    writeConfig('# mine\nindent: 4\nprofiles:\n  work: { timeout: 9 }\n');
    expect((await login()).code).toBe(0);
    expect(config()).toMatchObject({ indent: 4, profiles: { work: { timeout: 9 } } });
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(readFileSync(file(), 'utf8'), { version })).toEqual(config());
  });
});

describe('stack traces', () => {
  const trace = /\n {2,}at .+:\d+:\d+/;
  const signedIn = (): string => `api_url: ${server.url}\naccess_token: a-token\n`;
  const describeNone = (env = {}) => runBriefly(user, ['stack', 'describe', 'mo-none'], { env });

  it('stack traces are printed if the file enables them', async () => {
    writeConfig(signedIn());
    expect((await describeNone()).stderr).not.toMatch(trace);
    writeConfig(`${signedIn()}debug: true\n`);
    expect(await describeNone()).toMatchObject({ code: 6, stderr: expect.stringMatching(trace) });
    // An invalid combination of flags is reported before the command runs.
    const rules = await runBriefly(user, ['stack', 'create']);
    expect(rules).toMatchObject({ code: 2, stderr: expect.stringMatching(trace) });
  });

  it('ALM_DEBUG overrides the file', async () => {
    writeConfig(signedIn());
    expect((await describeNone({ ALM_DEBUG: 'true' })).stderr).toMatch(trace);
    const env = { ALM_DEBUG: 'true' };
    expect((await runBriefly(user, ['stack', 'nonsense'], { env })).stderr).toMatch(trace);
    writeConfig(`${signedIn()}debug: true\n`);
    const off = await describeNone({ ALM_DEBUG: 'false' });
    expect(off.code).toBe(6);
    expect(off.stderr).not.toMatch(trace);
    const wrong = await runBriefly(user, ['stack', 'nonsense'], { env: { ALM_DEBUG: 'false' } });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toMatch(trace);
  });
});
