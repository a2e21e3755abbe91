import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlmUser, almProgram } from '../alm.ts';
import { runBriefly, startAlm } from './run.ts';
import { freshToken, isSignIn, Stranger, sendJson, sendRefusal } from './stranger.ts';

const line = '{"audit_id":"1"}\n';

/** Our own stand-in: an export that begins and falls silent, a stack that is not there, and many that are. */
let stranger: Stranger;
let user: AlmUser;
beforeAll(async () => {
  const stacks = Array.from({ length: 50 }, (_, index) => ({
    stack_id: `mo-${index}`,
    nickname: 'one of many',
    stack_status: 'CREATE_COMPLETE',
    create_time: '2026-01-01T00:00:00Z',
    configuration: {},
  }));
  stranger = await Stranger.start((asked, response) => {
    if (isSignIn(asked)) return sendJson(response, 200, freshToken('token-of-a-stand-in'));
    if (asked.path.endsWith('/mo-none')) return sendRefusal(response, 404, 'Stack mo-none does not exist');
    if (asked.path === '/v3/alm/stack') return sendJson(response, 200, stacks);
    // One line, and then nothing, and no end either.
    return void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(line);
  });
});
beforeEach(() => void (user = new AlmUser({ ALM_URL: stranger.url, ALM_TOKEN: 'a-token' })));
afterEach(() => user.close());
afterAll(() => stranger.close());

describe('silence of the service, our own stand-in', () => {
  it('in the middle of an export ends it, and what came is there', async () => {
    const { code, stdout, stderr } = await runBriefly(user, ['audit', 'export', '--timeout', '1'], {
      seconds: 6,
    });
    expect([code, stdout]).toEqual([8, line]);
    expect(stderr).toContain('[alm]: error: ');
    expect(stderr).toContain('not all of it');
  });

  it('in the middle of an answer that is no stream ends it', async () => {
    const { code, stdout } = await runBriefly(user, ['template', 'describe', 'mo-1', '--timeout', '1'], {
      seconds: 6,
    });
    expect([code, stdout]).toEqual([8, '']);
  });
});

describe('standard input', () => {
  it('that stays open does not keep a sign-in from ending', async () => {
    const env = { ALM_TOKEN: '', ALM_CLIENT_ID: 'lg-1', ALM_CLIENT_SECRET: 'client-secret' };
    const login = startAlm(user, ['login', '--url', stranger.url, '-u', 'root'], { env, seconds: 8 });
    login.child.stdin?.write('the-password\n');
    const { code, stderr } = await login.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('Login successful.')]);
    expect(stranger.asked.find(isSignIn)?.body).toContain('"the-password"');
  });

  it('that stays open and is not asked for anything does not matter', async () => {
    expect(await startAlm(user, ['stack', 'list'], { seconds: 8 }).ended).toMatchObject({ code: 0 });
  });
});

describe('nobody reads', () => {
  const describeNone = ['stack', 'describe', 'mo-none'];

  it('the words: the exit code is the same where standard error is closed', async () => {
    const command = [process.execPath, almProgram, ...describeNone].map((word) => `'${word}'`).join(' ');
    const shell = spawn('sh', ['-c', `${command} 2>&-`], {
      env: user.environment,
      cwd: user.home,
      stdio: 'ignore',
      timeout: 8000,
    });
    expect(((await once(shell, 'close')) as [number])[0]).toBe(6);
  });

  it('the words: the exit code is the same where their reader has gone', async () => {
    const alm = startAlm(user, describeNone, { seconds: 8 });
    alm.child.stderr?.destroy();
    expect((await alm.ended).code).toBe(6);
    const loud = startAlm(user, [...describeNone, '--verbose', '--debug'], { seconds: 8 });
    loud.child.stderr?.destroy();
    expect((await loud.ended).code).toBe(6);
  });

  it('the data: that is no error', async () => {
    const alm = startAlm(user, ['stack', 'list'], { seconds: 8 });
    alm.child.stdout?.destroy();
    expect(await alm.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('the data, for want of room: that is one', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      for (const args of [['stack', 'list'], ['stack', 'list', '--fmt', 'json'], ['help'], ['version']]) {
        const { code, stderr } = await runBriefly(user, args, { stdio: ['ignore', full, 'pipe'] });
        expect([args, code]).toEqual([args, 1]);
        expect(stderr).toMatch(/^\[alm\]: error: .*cannot be written/);
        expect(stderr).not.toContain('mistake in alm');
      }
    } finally {
      closeSync(full);
    }
  });
});
