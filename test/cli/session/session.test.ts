import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { login } from '../../e2e/almanac-process.ts';
import { AlmUser, loginFlags, type Served, serveForAlm, signedIn } from '../alm.ts';
import { calledWith, FakePrograms, initPass } from './fake-programs.ts';

let served: Served;
let url: string;
let fakePrograms: FakePrograms;
let user: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  ({ url } = served.server);
  fakePrograms = new FakePrograms(['pass', 'gpg']);
});
afterAll(async () => {
  fakePrograms.close();
  await served.close();
});
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

type Settings = Record<string, unknown>;

const file = (): string => join(user.home, '.alm', 'config.yml');
const config = (): Settings => parse(readFileSync(file(), 'utf8')) as Settings;
const change = (settings: Settings): void =>
  writeFileSync(file(), stringify({ ...config(), ...settings }), { mode: 0o600 });
const signIn = (...more: string[]) => user.run(['login', '--url', url, ...loginFlags, ...more]);
const revoke = async (token: unknown): Promise<void> => {
  const { client_id, client_secret } = login;
  const { status } = await served.server.call('POST', '/v3/revoke', {
    json: { token, client_id, client_secret },
  });
  expect(status).toBe(200);
};

describe('a token in the file', () => {
  it('an expired token is not sent', async () => {
    await signIn();
    change({ token_expires: '2020-01-01T00:00:00.000Z', api_url: 'http://127.0.0.1:9' });
    const ended = await user.run(['stack', 'list']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('expired at 2020-01-01T00:00:00.000Z');
    expect((await user.run(['profile', 'list'])).stdout).toContain('expired at 2020');
  });

  it('a revoked token asks the user to sign in again', async () => {
    await signIn();
    await revoke(config().access_token);
    const ended = await user.run(['stack', 'list']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('alm login');
  });

  it('without a login, a command fails and writes no file', async () => {
    const ended = await user.run(['stack', 'list', '--url', url]);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('You are not signed in') });
    expect(existsSync(file())).toBe(false);
  });
});

describe('precedence of settings', () => {
  it('variables override the file, and flags override both', async () => {
    await signIn();
    change({ indent: 1 });
    const indent = async (args: string[], env = {}) =>
      /\n( *)"/.exec((await user.run(['profile', 'list', '--fmt', 'json', ...args], { env })).stdout)?.[1]
        ?.length;
    expect(await indent([])).toBe(2);
    expect(await indent([], { ALM_INDENT: '3' })).toBe(6);
    expect(await indent(['--indent', '4'], { ALM_INDENT: '3' })).toBe(8);
    const nowhere = { ALM_URL: 'http://127.0.0.1:9', ...signedIn };
    expect((await user.run(['stack', 'list'], { env: nowhere })).code).toBe(8);
    expect((await user.run(['stack', 'list', '--url', url], { env: nowhere })).code).toBe(0);
  });

  it('--token overrides every other token', async () => {
    await signIn();
    const env = { ...signedIn, ALM_TOKEN: String(config().access_token) };
    expect((await user.run(['stack', 'list'], { env })).code).toBe(0);
    expect((await user.run(['stack', 'list', '--token', 'wrong'], { env })).code).toBe(4);
    const token = await served.server.userToken();
    expect(
      (await user.run(['stack', 'list', '--token', token], { env: { ...env, ALM_TOKEN: 'x' } })).code,
    ).toBe(0);
  });
});

describe('with a native store (fake pass)', () => {
  let env: Record<string, string>;
  beforeEach(() => {
    env = { ALM_CREDENTIAL_STORE: 'pass', PATH: fakePrograms.path };
    user = new AlmUser(env);
    initPass(user.home);
  });
  const entry = (): string => join(user.home, '.password-store/alm/default.gpg');
  const stored = (): Settings => JSON.parse(readFileSync(entry(), 'utf8')) as Settings;

  it('credentials and token are in the store, not in the file, and tokens are renewed automatically', async () => {
    expect((await signIn()).stderr).toContain('saved in pass');
    expect(config()).toMatchObject({ access_token: '', api_url: url });
    expect((await user.run(['stack', 'list'])).code).toBe(0);
    const first = stored();
    await revoke(first.token);
    expect((await user.run(['stack', 'list'])).code).toBe(0);
    expect(stored().token).not.toBe(first.token);
    expect(stored().signIn).toEqual(first.signIn);
    writeFileSync(entry(), JSON.stringify({ ...first, expires: '2020-01-01T00:00:00.000Z' }));
    expect((await user.run(['stack', 'list', '--verbose', '--debug'])).stderr).toContain('/v3/access_token');
    expect(Date.parse(String(stored().expires))).toBeGreaterThan(Date.now());
    expect((await user.run(['profile', 'list'])).stdout).toContain('yes, in pass');
    for (const secret of [login.password, login.client_secret, stored().token])
      expect(calledWith(user.home)).not.toContain(secret);
  });

  it('asks to sign in again when the stored credentials are rejected', async () => {
    await signIn();
    const signedInWith = { ...(stored().signIn as Settings), password: 'an-old-password' };
    writeFileSync(entry(), JSON.stringify({ ...stored(), token: 'an-old-token', signIn: signedInWith }));
    const ended = await user.run(['stack', 'list']);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('alm login') });
  });

  it('--token overrides the store, and stored credentials are not sent to another URL', async () => {
    await signIn();
    expect((await user.run(['stack', 'list', '--token', 'wrong'])).code).toBe(4);
    const elsewhere = await user.run(['stack', 'list', '--url', 'http://127.0.0.1:9']);
    expect(elsewhere).toMatchObject({ code: 4, stderr: expect.stringContaining('is for http') });
  });

  it('reset and profile delete remove the stored login', async () => {
    await signIn();
    await signIn('--profile', 'work');
    expect(await user.run(['reset'])).toMatchObject({ code: 0, stderr: expect.stringContaining('pass') });
    expect(existsSync(entry())).toBe(false);
    expect((await user.run(['stack', 'list', '--profile', 'work'])).code).toBe(0);
    expect((await user.run(['profile', 'delete', 'work'])).code).toBe(0);
    expect(existsSync(entry().replace('default', 'work'))).toBe(false);
  });
});

describe('an API client in the environment', () => {
  const client = { ALM_CLIENT_ID: login.client_id, ALM_CLIENT_SECRET: login.client_secret };
  const whoIs = async (env: Record<string, string>) =>
    (await user.run(['rbac', 'describe', '--fmt', 'json'], { env: { ALM_URL: url, ...env } })).code;

  it('does not displace a login saved in the file or in a credential store', async () => {
    await signIn();
    expect(await whoIs(client)).toBe(0);
    initPass(user.home);
    const store = { ALM_CREDENTIAL_STORE: 'pass', PATH: fakePrograms.path };
    const stored = await user.run(['login', '--url', url, ...loginFlags], { env: store });
    expect(stored.code).toBe(0);
    expect(config().access_token).toBe('');
    expect(await whoIs({ ...client, ...store })).toBe(0);
  });

  it('is used where no login is saved, where it is for another server, and where the store fails', async () => {
    // The client may not manage roles: the refusal shows that it is the caller.
    expect(await whoIs(client)).toBe(5);
    await signIn();
    change({ api_url: 'http://127.0.0.1:9' });
    expect(await whoIs(client)).toBe(5);
    const broken = { ALM_CREDENTIAL_STORE: 'pass', PATH: '/nonexistent' };
    change({ access_token: '' });
    expect(await whoIs({ ...client, ...broken })).toBe(5);
  });
});
