import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { login } from '../../e2e/almanac-process.ts';
import { callHttp, eventually } from '../../http.ts';
import { AlmUser, almProgram, type Served, serveForAlm, signedIn } from '../alm.ts';
import { PtySession } from '../pty.ts';

const ann = { username: 'ann', password: 'pässwörd 語 für Ann' };

let served: Served;
let url: string;
let user: AlmUser;
beforeAll(async () => {
  served = await serveForAlm();
  ({ url } = served.server);
  const answer = await served.server.call('POST', '/v3/user', { json: ann });
  expect(answer.status).toBe(200);
});
afterAll(() => served.close());
beforeEach(() => void (user = new AlmUser()));
afterEach(() => user.close());

const file = (): string => join(user.home, '.alm', 'config.yml');
const config = (): Record<string, unknown> => parse(readFileSync(file(), 'utf8')) as Record<string, unknown>;
const client = ['--client-id', login.client_id, '--client-secret', login.client_secret];
const credentials = [...client, '--username', login.username, '--password', login.password];
const worksWith = async (token: unknown): Promise<number> =>
  (await callHttp('GET', `${url}/v3/alm/stack`, { token: String(token) })).status;

describe('login on a terminal', () => {
  it('login prompts for missing credentials without echoing secrets', async () => {
    const session = new PtySession(user, ['login', '--url', url]);
    for (const [label, answer] of [
      ['Username: ', login.username],
      ['Password: ', login.password],
    ] as const) {
      await session.shows(label);
      session.type(`${answer}\r`);
    }
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('Login successful.');
    expect(session.seen).toContain(file());
    expect(session.seen).not.toContain('Client');
    expect(session.seen).not.toContain(login.password);
    expect(await worksWith(config().access_token)).toBe(200);
  });

  it('login through an API client prompts for the missing secret of the client', async () => {
    const session = new PtySession(user, ['login', '--url', url, '-i', login.client_id, '-u', 'root']);
    for (const [label, answer] of [
      ['Client secret: ', login.client_secret],
      ['Password: ', login.password],
    ] as const) {
      await session.shows(label);
      session.type(`${answer}\r`);
    }
    expect(await session.ended()).toBe(0);
    expect(session.seen).not.toContain(login.client_secret);
  });

  it('a prompt handles backspace, arrow keys and non-ASCII characters', async () => {
    const session = new PtySession(user, ['login', '--url', url, ...client]);
    await session.shows('Username: ');
    session.type(`anx\u007Fn\r`);
    await session.shows('Password: ');
    session.type(`wrong\u0015\u001B[D${ann.password}語\u007F\u0004\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('as ann');
    expect(session.seen).not.toContain('pässwörd');
  });

  it('several pasted lines answer several prompts', async () => {
    const session = new PtySession(user, ['login', '--url', url, '--client-id', login.client_id]);
    await session.shows('Client secret: ');
    session.type(`${login.client_secret}\r${ann.username}\r${ann.password}\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('as ann');
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 2],
  ])('%s cancels a hidden prompt and restores the terminal', async (_name, key, code) => {
    const quoted = [process.execPath, almProgram, 'login', '--url', url, '-i', 'x'].map(
      (word) => `'${word}'`,
    );
    const script = `stty -a; ${quoted.join(' ')}; echo "code $?"; stty -a; echo end`;
    const shell = spawn('sh', ['-c', script], { cwd: user.home, env: user.environment });
    let seen = '';
    shell.onData((data) => (seen += data));
    const shows = (text: string) =>
      eventually(
        async () => seen,
        () => seen.includes(text),
      );
    await shows('Client secret: ');
    shell.write(`half${key === '\u0004' ? '\u0015' : ''}${key}`);
    await shows('end\r\n');
    const [before, after] = seen.split(/Client secret: [\s\S]*code \d+\r\n/);
    expect(seen).toContain(`code ${code}\r\n`);
    expect(after).toBe(`${before}end\r\n`);
    expect(existsSync(file())).toBe(false);
  });

  it('Ctrl-C cancels a prompt with echo', async () => {
    const session = new PtySession(user, ['login', '--url', url]);
    await session.shows('Username: ');
    session.type('half\u0003');
    expect(await session.ended()).toBe(130);
  });
});

describe('login without a terminal', () => {
  it('each line of standard input answers one prompt', async () => {
    const lines = [ann.username, ann.password];
    const ended = await user.run(['login', '--url', url], { input: lines.join('\r\n') });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toMatch(/^\[alm\]: info: Login successful\.\n/);
  });

  it('names the flag and the variable when an answer is missing or empty', async () => {
    const none = await user.run(['login', '--url', url, ...client, '-u', 'root']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--password or ALM_PASSWORD');
    const empty = await user.run(['login', '--url', url, ...client], { input: '\n' });
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('"Username" must not be empty');
    expect((await user.run(['login', '--url', url, ...client, '-p', ''], { input: 'root\n' })).code).toBe(2);
    expect(existsSync(file())).toBe(false);
  });

  it('a user name and a password in the environment are enough for every command', async () => {
    const env = { ALM_URL: url, ALM_USERNAME: ann.username, ALM_PASSWORD: ann.password };
    expect((await user.run(['stack', 'list'], { env })).code).toBe(0);
    const ended = await user.run(['login'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('as ann') });
    const wrong = await user.run(['stack', 'list'], { env: { ...env, ALM_PASSWORD: 'wrong' } });
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('use <account id>.<name>');
  });

  it('flags override the environment, and a password in the environment is used only with its user name', async () => {
    const env = { ...signedIn, ALM_URL: url };
    expect((await user.run(['login'], { env })).stderr).toContain('as root');
    const asAnn = await user.run(['login', '-u', 'ann'], { env, input: `${ann.password}\n` });
    expect(asAnn.stderr).toContain('as ann');
  });
});

describe('login', () => {
  it('login writes all settings to a file readable by its owner only', async () => {
    mkdirSync(join(user.home, '.alm'));
    writeFileSync(file(), 'indent: 4\n');
    chmodSync(file(), 0o644);
    expect(await user.run(['login', '--url', url, ...credentials, '--timeout', '60'])).toMatchObject({
      code: 0,
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(config()).toEqual({
      access_token: expect.stringMatching(/./),
      token_expires: expect.stringMatching(/^\d{4}-.*Z$/),
      api_url: url,
      registry_url: 'http://127.0.0.1:5000',
      gateway_url: '',
      api_version: 'v3',
      indent: 4,
      timeout: 60,
      verbose: false,
      debug: false,
    });
    const { stdout, code } = await user.run(['stack', 'list']);
    expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringContaining('STACK ID') });
  });

  it.each([
    ['password', ['-p', 'wrong-password'], 'password is wrong'],
    ['client secret', ['-s', 'wrong-secret'], 'client_secret is wrong'],
  ])('login with a wrong %s exits with 4 and writes nothing', async (_name, wrong, message) => {
    const ended = await user.run(['login', '--url', url, ...credentials, ...wrong]);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(message);
    expect(existsSync(file())).toBe(false);
  });

  it('login works as the API client itself, and with v2', async () => {
    const alone = ['login', '--url', url, ...client, '--grant-type', 'client_credentials'];
    expect((await user.run(alone)).stderr).toContain(`as ${login.client_id}`);
    expect((await user.run([...alone, '--apiver', 'v2'])).code).toBe(0);
    expect(config().api_version).toBe('v2');
    expect((await user.run([...alone, '-u', 'root'])).code).toBe(2);
    expect((await user.run(['login', ...credentials])).stderr).toContain('as root');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('login warns about an unencrypted connection to another machine', async () => {
    const open = url.replace('127.0.0.1', '0.0.0.0');
    expect((await user.run(['login', '--url', open, ...credentials])).stderr).toContain('is not encrypted');
    for (const own of [url, url.replace('127.0.0.1', 'localhost')])
      expect((await user.run(['login', '--url', own, ...credentials])).stderr).not.toContain('warning');
  });

  it('login at a server that is not Almanac fails with a message', async () => {
    const ended = await user.run(['login', '--url', `${url}/docs`, ...credentials]);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).not.toContain('Internal error');
    expect(existsSync(file())).toBe(false);
  });

  it('no output contains a secret, even with --verbose and --debug', async () => {
    const verbose = ['--verbose', '--debug'];
    const outputs = [
      await user.run(['login', '--url', url, ...credentials, ...verbose]),
      await user.run(['login', '--url', url, ...client, '-u', 'root', '-p', 'wrong-password', ...verbose]),
      await user.run(['stack', 'list', ...verbose]),
      await user.run(['stack', 'describe', 'mo-none', ...verbose]),
      await user.run(['profile', 'list', '--fmt', 'json', ...verbose]),
    ].map(({ stdout, stderr }) => stdout + stderr);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/^\{/, '{[: '));
    const broken = await user.run(['stack', 'list', ...verbose]);
    expect(broken.stderr).toContain('alm reset');
    const token = /access_token: (\S+)/.exec(readFileSync(file(), 'utf8'))?.[1];
    for (const secret of [login.client_secret, login.password, 'wrong-password', token])
      expect([...outputs, broken.stderr].join('')).not.toContain(secret);
    expect(outputs[0]).toContain('[URL]');
  });
});
