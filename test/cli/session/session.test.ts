import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { login } from '../../e2e/almanac-process.ts';
import { AlmUser, type Served, serveForAlm, signedIn } from '../alm.ts';
import { calledWith, initPass, StandIns } from './store-stand-ins.ts';

let served: Served;
let url: string;
let standIns: StandIns;
let user: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  ({ url } = served.server);
  standIns = new StandIns(['pass', 'gpg']);
});
afterAll(async () => {
  standIns.close();
  await served.close();
});
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

type Settings = Record<string, unknown>;

const file = (): string => join(user.home, '.alm', 'config.yml');
const config = (): Settings => parse(readFileSync(file(), 'utf8')) as Settings;
const change = (settings: Settings): void =>
  writeFileSync(file(), stringify({ ...config(), ...settings }), { mode: 0o600 });
const whole = ['-i', login.client_id, '-s', login.client_secret, '-u', login.username, '-p', login.password];
const signIn = (...more: string[]) => user.run(['login', '--url', url, ...whole, ...more]);
const revoke = async (token: unknown): Promise<void> => {
  const { client_id, client_secret } = login;
  const { status } = await served.server.call('POST', '/v3/revoke', {
    json: { token, client_id, client_secret },
  });
  expect(status).toBe(200);
};

describe('a token in the file', () => {
  it('that has expired is not tried', async () => {
    await signIn();
    change({ token_expires: '2020-01-01T00:00:00.000Z', api_url: 'http://127.0.0.1:9' });
    const ended = await user.run(['stack', 'list']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('expired at 2020-01-01T00:00:00.000Z');
    expect((await user.run(['profile', 'list'])).stdout).toContain('expired at 2020');
  });

  it('that the server no longer takes asks to sign in again', async () => {
    await signIn();
    await revoke(config().access_token);
    const ended = await user.run(['stack', 'list']);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('alm login');
  });

  it('is not there before the first sign-in, and nothing is written', async () => {
    const ended = await user.run(['stack', 'list', '--url', url]);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('You are not signed in') });
    expect(existsSync(file())).toBe(false);
  });
});

describe('what counts first', () => {
  it('variables count before the file, flags before both', async () => {
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

  it('--token counts before everything', async () => {
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

describe('with a native store, a stand-in of ours for pass', () => {
  let env: Record<string, string>;
  beforeEach(() => {
    env = { ALM_CREDENTIAL_STORE: 'pass', PATH: standIns.path };
    user = new AlmUser(env);
    initPass(user.home);
  });
  const entry = (): string => join(user.home, '.password-store/alm/default.gpg');
  const kept = (): Settings => JSON.parse(readFileSync(entry(), 'utf8')) as Settings;

  it('credentials and token are kept there and not in the file, and tokens are renewed by themselves', async () => {
    expect((await signIn()).stderr).toContain('kept in pass');
    expect(config()).toMatchObject({ access_token: '', api_url: url });
    expect((await user.run(['stack', 'list'])).code).toBe(0);
    const first = kept();
    await revoke(first.token);
    expect((await user.run(['stack', 'list'])).code).toBe(0);
    expect(kept().token).not.toBe(first.token);
    expect(kept().signIn).toEqual(first.signIn);
    writeFileSync(entry(), JSON.stringify({ ...first, expires: '2020-01-01T00:00:00.000Z' }));
    expect((await user.run(['stack', 'list', '--verbose', '--debug'])).stderr).toContain('/v3/access_token');
    expect(Date.parse(String(kept().expires))).toBeGreaterThan(Date.now());
    expect((await user.run(['profile', 'list'])).stdout).toContain('yes, in pass');
    for (const secret of [login.password, login.client_secret, kept().token])
      expect(calledWith(user.home)).not.toContain(secret);
  });

  it('asks to sign in again when what is kept no longer opens anything', async () => {
    await signIn();
    const signedInWith = { ...(kept().signIn as Settings), password: 'an-old-password' };
    writeFileSync(entry(), JSON.stringify({ ...kept(), token: 'an-old-token', signIn: signedInWith }));
    const ended = await user.run(['stack', 'list']);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('alm login') });
  });

  it('--token counts before the store, and another address gets nothing from it', async () => {
    await signIn();
    expect((await user.run(['stack', 'list', '--token', 'wrong'])).code).toBe(4);
    const elsewhere = await user.run(['stack', 'list', '--url', 'http://127.0.0.1:9']);
    expect(elsewhere).toMatchObject({ code: 4, stderr: expect.stringContaining('is for http') });
  });

  it('reset and profile delete take it away', async () => {
    await signIn();
    await signIn('--profile', 'work');
    expect(await user.run(['reset'])).toMatchObject({ code: 0, stderr: expect.stringContaining('pass') });
    expect(existsSync(entry())).toBe(false);
    expect((await user.run(['stack', 'list', '--profile', 'work'])).code).toBe(0);
    expect((await user.run(['profile', 'delete', 'work'])).code).toBe(0);
    expect(existsSync(entry().replace('default', 'work'))).toBe(false);
  });
});
