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
const whole = [...client, '--username', login.username, '--password', login.password];
const worksWith = async (token: unknown): Promise<number> =>
  (await callHttp('GET', `${url}/v3/alm/stack`, { token: String(token) })).status;

describe('on a terminal', () => {
  it('asks for what is not given, and does not show what must not be seen', async () => {
    const session = new PtySession(user, ['login', '--url', url]);
    for (const [label, answer] of [
      ['Client ID: ', login.client_id],
      ['Client secret: ', login.client_secret],
      ['Username: ', login.username],
      ['Password: ', login.password],
    ] as const) {
      await session.shows(label);
      session.type(`${answer}\r`);
    }
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('Login successful.');
    expect(session.seen).toContain(file());
    expect(session.seen).not.toContain(login.client_secret);
    expect(session.seen).not.toContain(login.password);
    expect(await worksWith(config().access_token)).toBe(200);
  });

  it('understands corrections, arrow keys and what is beyond ASCII', async () => {
    const session = new PtySession(user, ['login', '--url', url, ...client]);
    await session.shows('Username: ');
    session.type(`anx\u007Fn\r`);
    await session.shows('Password: ');
    session.type(`wrong\u0015\u001B[D${ann.password}語\u007F\u0004\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('as ann');
    expect(session.seen).not.toContain('pässwörd');
  });

  it('takes several lines pasted at once as several answers', async () => {
    const session = new PtySession(user, ['login', '--url', url, '--client-id', login.client_id]);
    await session.shows('Client secret: ');
    session.type(`${login.client_secret}\r${ann.username}\r${ann.password}\r`);
    expect(await session.ended()).toBe(0);
    expect(session.seen).toContain('as ann');
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 2],
  ])('is left with %s, and the terminal is as it was', async (_name, key, code) => {
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

  it('is left with Ctrl-C also where the answer is shown', async () => {
    const session = new PtySession(user, ['login', '--url', url]);
    await session.shows('Client ID: ');
    session.type('half\u0003');
    expect(await session.ended()).toBe(130);
  });
});

describe('without a terminal', () => {
  it('the lines of standard input answer, one question each', async () => {
    const lines = [login.client_id, login.client_secret, ann.username, ann.password];
    const ended = await user.run(['login', '--url', url], { input: lines.join('\r\n') });
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toMatch(/^\[alm\]: info: Login successful\.\n/);
  });

  it('says what else would have answered when there are too few, or an empty one', async () => {
    const none = await user.run(['login', '--url', url, ...client, '-u', 'root']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--password or ALM_PASSWORD');
    const empty = await user.run(['login', '--url', url, ...client], { input: '\n' });
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('"Username" was left empty');
    expect((await user.run(['login', '--url', url, ...client, '-p', ''], { input: 'root\n' })).code).toBe(2);
    expect(existsSync(file())).toBe(false);
  });

  it('flags count before the environment, and a secret there belongs to the name there', async () => {
    const env = { ...signedIn, ALM_URL: url };
    expect((await user.run(['login'], { env })).stderr).toContain('as root');
    const asAnn = await user.run(['login', '-u', 'ann'], { env, input: `${ann.password}\n` });
    expect(asAnn.stderr).toContain('as ann');
  });
});

describe('signing in', () => {
  it('writes what the file must hold, for its owner alone', async () => {
    mkdirSync(join(user.home, '.alm'));
    writeFileSync(file(), 'indent: 4\n');
    chmodSync(file(), 0o644);
    expect(await user.run(['login', '--url', url, ...whole, '--timeout', '60'])).toMatchObject({ code: 0 });
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
  ])('with a wrong %s says so, ends with 4 and writes nothing', async (_name, wrong, message) => {
    const ended = await user.run(['login', '--url', url, ...whole, ...wrong]);
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain(message);
    expect(existsSync(file())).toBe(false);
  });

  it('works as the API client alone, and with v2', async () => {
    const alone = ['login', '--url', url, ...client, '--grant-type', 'client_credentials'];
    expect((await user.run(alone)).stderr).toContain(`as ${login.client_id}`);
    expect((await user.run([...alone, '--apiver', 'v2'])).code).toBe(0);
    expect(config().api_version).toBe('v2');
    expect((await user.run([...alone, '-u', 'root'])).code).toBe(2);
    expect((await user.run(['login', ...whole])).stderr).toContain('as root');
    expect((await user.run(['stack', 'list'])).code).toBe(0);
  });

  it('warns where others can read the password on its way, and not on this machine', async () => {
    const open = url.replace('127.0.0.1', '0.0.0.0');
    expect((await user.run(['login', '--url', open, ...whole])).stderr).toContain('is not encrypted');
    for (const own of [url, url.replace('127.0.0.1', 'localhost')])
      expect((await user.run(['login', '--url', own, ...whole])).stderr).not.toContain('warning');
  });

  it('at something that is no Almanac says so', async () => {
    const ended = await user.run(['login', '--url', `${url}/docs`, ...whole]);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).not.toContain('mistake in alm');
    expect(existsSync(file())).toBe(false);
  });

  it('shows no secret, however much is shown', async () => {
    const loud = ['--verbose', '--debug'];
    const outputs = [
      await user.run(['login', '--url', url, ...whole, ...loud]),
      await user.run(['login', '--url', url, ...client, '-u', 'root', '-p', 'wrong-password', ...loud]),
      await user.run(['stack', 'list', ...loud]),
      await user.run(['stack', 'describe', 'mo-none', ...loud]),
      await user.run(['profile', 'list', '--fmt', 'json', ...loud]),
    ].map(({ stdout, stderr }) => stdout + stderr);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/^\{/, '{[: '));
    const broken = await user.run(['stack', 'list', ...loud]);
    expect(broken.stderr).toContain('alm reset');
    const token = /access_token: (\S+)/.exec(readFileSync(file(), 'utf8'))?.[1];
    for (const secret of [login.client_secret, login.password, 'wrong-password', token])
      expect([...outputs, broken.stderr].join('')).not.toContain(secret);
    expect(outputs[0]).toContain('[URL]');
  });
});
