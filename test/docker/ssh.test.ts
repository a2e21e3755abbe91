import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SshWorld } from '../api/ssh/world.ts';
import { Sshd } from './world/sshd.ts';

/** Repeats the parts of test/api/ssh that depend on OpenSSH and real terminals. */
let world: SshWorld;
let sshd: Sshd;
beforeAll(async () => {
  world = await SshWorld.start(1);
  sshd = await Sshd.start('127.77.7.10', world.key);
  world.configure({ dial: sshd.dial });
});
afterAll(async () => {
  await world.close();
  await sshd.remove();
});

const run = (script: string, more: object = {}) => world.run(script, { user: sshd.user, ...more });

const processesNamed = (mark: string): string[] => {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.startsWith('sleep ') && line.includes(mark));
};

describe('a script on OpenSSH', () => {
  it('returns its output and exit code', async () => {
    expect((await run('whoami; echo oops >&2; exit 7')).body).toMatchObject({
      exit_code: 7,
      stdout: `${sshd.user}\n`,
      stderr: 'oops\n',
    });
    const long = `# ${'x'.repeat(600_000)}\necho end`;
    expect((await run(long)).body).toMatchObject({ exit_code: 0, stdout: 'end\n' });
  });

  it('is killed when it times out', async () => {
    const mark = '54321.25';
    expect((await run(`sleep ${mark}`, { timeout_seconds: 1 })).body).toMatchObject({ timed_out: true });
    await expect.poll(() => processesNamed(mark)).toEqual([]);
  });
});

describe('a terminal on OpenSSH', () => {
  it('has a size that can change, handles Ctrl-C and returns its exit code', async () => {
    const client = await world.terminal({ user: sshd.user, cols: 91, rows: 33 });
    await client.receives('ready');
    client.type('stty size; echo "$TERM"\n');
    await client.sees('33 91');
    await client.sees('xterm-256color');
    client.sendJson({ resize: [120, 40] });
    client.type('stty size\n');
    await client.sees('40 120');
    client.type('sleep 54322.25\n');
    await expect.poll(() => processesNamed('54322.25')).toHaveLength(1);
    client.type('\u0003');
    await expect.poll(() => processesNamed('54322.25')).toEqual([]);
    client.type('echo é世 | tr a-z A-Z\n');
    await client.sees('é世');
    client.type('exit 9\n');
    expect(await client.closes()).toBe(1000);
    expect(client.texts.at(-1)).toBe('{"exit":9}');
  });

  it('kills its processes when the client disconnects', async () => {
    const client = await world.terminal({ user: sshd.user });
    await client.receives('ready');
    client.type('sleep 54323.25\n');
    await expect.poll(() => processesNamed('54323.25')).toHaveLength(1);
    client.socket.terminate();
    await expect.poll(() => processesNamed('54323.25')).toEqual([]);
  });
});

describe('a known host', () => {
  const knownKeys = () => world.almanac.service.database.query.selectFrom('host_keys').selectAll().execute();
  const forget = async () => {
    const { id } = await world.firstInstance();
    await world.call('DELETE', `/v3/alm/stack/${world.stackId}/host_key/${id}`);
  };

  it('is still accepted after it gets a key of another type', async () => {
    await forget();
    await sshd.stop();
    await sshd.listen(['rsa']);
    expect((await run('true')).status).toBe(200);
    expect((await knownKeys())[0]?.host_key).toMatch(/^ssh-rsa /);
    await sshd.stop();
    await sshd.listen(['rsa', 'ed25519']);
    expect((await run('true')).status).toBe(200);
  });

  it('is rejected when it no longer has the known key', async () => {
    await sshd.stop();
    await sshd.listen(['ed25519']);
    expect((await run('true')).status).toBe(409);
    await forget();
    expect((await run('true')).status).toBe(200);
  });
});
