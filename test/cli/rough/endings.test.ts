import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, almProgram } from '../alm.ts';
import { FakeServer, freshToken, isSignIn, sendError, sendJson } from './fake-server.ts';
import { runBriefly, startAlm } from './run.ts';

const line = '{"audit_id":"1"}\n';

/** A fake server: an export that starts and stalls, a stack that does not exist, and many that do. */
let server: FakeServer;
let user: AlmUser;
beforeAll(async () => {
  const stacks = Array.from({ length: 50 }, (_, index) => ({
    stack_id: `mo-${index}`,
    nickname: 'one of many',
    stack_status: 'CREATE_COMPLETE',
    create_time: '2026-01-01T00:00:00Z',
    configuration: {},
  }));
  server = await FakeServer.start((request, response) => {
    if (isSignIn(request)) return sendJson(response, 200, freshToken('token-of-a-fake-server'));
    if (request.path.endsWith('/mo-none')) return sendError(response, 404, 'Stack mo-none does not exist');
    if (request.path === '/v3/alm/stack') return sendJson(response, 200, stacks);
    // One line, and then the response stalls.
    return void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(line);
  });
});
beforeEach(() => void (user = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: 'a-token' })));
afterEach(() => user.close());
afterAll(() => server.close());

describe('a stalled response (fake server)', () => {
  it('a stalled export fails, and the received data is written', async () => {
    const { code, stdout, stderr } = await runBriefly(user, ['audit', 'export', '--timeout', '1'], {
      seconds: 6,
    });
    expect([code, stdout]).toEqual([8, line]);
    expect(stderr).toContain('[alm]: error: ');
    expect(stderr).toContain('The output is incomplete.');
  });

  it('a stalled response fails after the timeout', async () => {
    const { code, stdout } = await runBriefly(user, ['template', 'describe', 'mo-1', '--timeout', '1'], {
      seconds: 6,
    });
    expect([code, stdout]).toEqual([8, '']);
  });
});

describe('standard input', () => {
  it('open standard input does not keep login running', async () => {
    const env = { ALM_TOKEN: '', ALM_CLIENT_ID: 'lg-1', ALM_CLIENT_SECRET: 'client-secret' };
    const login = startAlm(user, ['login', '--url', server.url, '-u', 'root'], { env, seconds: 8 });
    login.child.stdin?.write('the-password\n');
    const { code, stderr } = await login.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('Login successful.')]);
    expect(server.requests.find(isSignIn)?.body).toContain('"the-password"');
  });

  it('open standard input does not keep a command running', async () => {
    expect(await startAlm(user, ['stack', 'list'], { seconds: 8 }).ended).toMatchObject({ code: 0 });
  });
});

describe('closed output', () => {
  const describeNone = ['stack', 'describe', 'mo-none'];

  it('the exit code is the same with closed standard error', async () => {
    const command = [process.execPath, almProgram, ...describeNone].map((word) => `'${word}'`).join(' ');
    const shell = spawn('sh', ['-c', `${command} 2>&-`], {
      env: user.environment,
      cwd: user.home,
      stdio: 'ignore',
      timeout: 120_000,
    });
    expect(((await once(shell, 'close')) as [number])[0]).toBe(6);
  });

  it('the exit code is the same when the reader of standard error is gone', async () => {
    const alm = startAlm(user, describeNone, { seconds: 8 });
    alm.child.stderr?.destroy();
    expect((await alm.ended).code).toBe(6);
    const verbose = startAlm(user, [...describeNone, '--verbose', '--debug'], { seconds: 8 });
    verbose.child.stderr?.destroy();
    expect((await verbose.ended).code).toBe(6);
  });

  it('a closed pipe on standard output is not an error', async () => {
    const alm = startAlm(user, ['stack', 'list'], { seconds: 8 });
    alm.child.stdout?.destroy();
    expect(await alm.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('a full disk on standard output is an error', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      for (const args of [['stack', 'list'], ['stack', 'list', '--fmt', 'json'], ['help'], ['version']]) {
        const { code, stderr } = await runBriefly(user, args, { stdio: ['ignore', full, 'pipe'] });
        expect([args, code]).toEqual([args, 1]);
        expect(stderr).toMatch(/^\[alm\]: error: Cannot write the output/);
        expect(stderr).not.toContain('Internal error');
      }
    } finally {
      closeSync(full);
    }
  });
});
