import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTarget } from '../../../src/cli/terminal/exec-target.ts';
import { SshWorld } from '../../api/ssh/world.ts';
import { balanced, V2Caller } from '../../api/v2/caller.ts';
import { AlmUser } from '../alm.ts';
import { PtyHost } from './ssh-pty-host.ts';

let world: SshWorld;
let host: PtyHost;
let root: AlmUser;
let id: string;
let ips: string[];
/** An address that refuses connections. */
let unreachable = '';

beforeAll(async () => {
  world = await SshWorld.start();
  host = await PtyHost.start();
  host.allow(world.key);
  world.configure({
    dial: async (to) => {
      if (to.host === unreachable) throw new Error('connect ECONNREFUSED');
      return host.dial();
    },
  });
  root = new AlmUser({ ALM_URL: world.almanac.url, ALM_TOKEN: await world.almanac.userToken() });
  id = world.stackId;
  ips = (await world.instances()).map(({ privateIp }) => privateIp);
});
afterAll(async () => {
  await world.close();
  await host.close();
  root.close();
});

const exec = (targets: readonly string[], script: string, ...more: string[]) =>
  root.run(['stack', 'exec', ...targets.flatMap((each) => ['--target', each]), '--script', '-', ...more], {
    input: script,
  });

describe('alm stack exec (on a fake ssh host with real processes)', () => {
  it('runs a script on many instances and shows the output in the order of the targets', async () => {
    writeFileSync(
      join(root.home, 'hello.sh'),
      'echo "hello 日本語 from $0" | cut -d " " -f 1-3\necho aside >&2\n',
    );
    const [first, second] = ips;
    const target = `${id}|ec2-user@${first}:web0,${id}|${second}`;
    const { code, stdout, stderr } = await root.run([
      'stack',
      'exec',
      '--target',
      target,
      '--script=hello.sh',
    ]);
    expect(stdout).toBe('hello 日本語 from\n'.repeat(2));
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      `[alm]: info: [0]output: ${id}, instance: ec2-user@${first}, flag: web0`,
      'aside',
      `[alm]: info: [1]output: ${id}, instance: ec2-user@${second}, flag: -NA-`,
      'aside',
    ]);
    expect(code).toBe(0);
  });

  it('runs on more than ten targets, as the given user', async () => {
    const targets = Array.from({ length: 13 }, () => `${id}|alice@${ips[0]}`);
    const { code, stdout, stderr } = await exec(targets, 'echo here');
    expect(stdout).toBe('here\n'.repeat(13));
    expect(stderr).toContain(`[12]output: ${id}, instance: alice@${ips[0]}`);
    expect(code).toBe(0);
    expect(host.users).toContain('alice');
  });

  it('reports which targets failed or could not be reached, and still shows the others', async () => {
    unreachable = String(ips[1]);
    const targets = [`${id}|${ips[1]}`, `${id}|${ips[0]}`, 'mo-none'];
    const { code, stdout, stderr } = await exec(targets, 'echo out; exit 4');
    unreachable = '';
    expect(code).toBe(3);
    expect(stdout).toBe('out\n');
    expect(stderr).toMatch(/error: \[0\]error: [^]*cannot be reached by ssh as [^]*connect ECONNREFUSED/);
    expect(stderr).toContain('[1]error: the script exited with code 4.');
    expect(stderr).toMatch(/\[2\]error: mo-none, [^]*404/);
  });

  it('exits with the error of the service when there is only one target', async () => {
    expect(await exec(['mo-none'], 'true')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('404'),
    });
    const several = await exec([id], 'true');
    expect(several.code).toBe(1);
    expect(several.stderr).toMatch(/Several instances match[^]*Running instances: /);
    const unauthorized = await root.run(['stack', 'exec', '--target', `${id}|:web0`, '--script', '-'], {
      input: 'true',
      env: { ALM_TOKEN: 'nobody' },
    });
    expect(unauthorized.code).toBe(4);
  });

  it('stops a script after its timeout and reports it', async () => {
    const { code, stdout, stderr } = await exec(
      [`${id}|${ips[0]}`],
      'echo started; sleep 54327.25',
      '--script-timeout=1',
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'started\n' });
    expect(stderr).toContain('the script timed out after 1 s and was stopped.');
    expect(stderr).toContain('--script-timeout <seconds>');
  });

  it('reports truncated output', async () => {
    const { stdout, stderr } = await exec([`${id}|${ips[0]}`], 'head -c 2000000 /dev/zero | tr "\\0" x');
    expect(stdout).toBe('x'.repeat(1024 * 1024));
    expect(stderr).toContain('[0]output: truncated to the first MiB.');
  });

  it('prints a JSON array with --fmt json', async () => {
    const targets = [`${id}|${ips[0]}`, 'mo-none|:web0'];
    const { code, stdout } = await exec(targets, 'echo out; echo err >&2; exit 5', '--fmt', 'json');
    expect(code).toBe(3);
    const ran = { target: targets[0], stack_id: id, flag: null, ip: ips[0], user: 'ec2-user', exit_code: 5 };
    const instance = expect.stringMatching(/^i-/);
    expect(JSON.parse(stdout)).toMatchObject([
      { ...ran, instance_id: instance, stdout: 'out\n', stderr: 'err\n', error: null, timed_out: false },
      { target: 'mo-none|:web0', flag: 'web0', exit_code: null, error: expect.stringContaining('404') },
    ]);
  });

  it('sends nothing when the command line is invalid', async () => {
    const noStack = await exec([`|${ips[0]}`], 'true');
    expect(noStack.code).toBe(2);
    expect(noStack.stderr).toContain('Format: <stack id>|<user>@<ip>:<layer>');
    expect(await exec([`${id}|${ips[0]}`], '')).toMatchObject({ code: 2 });
    writeFileSync(join(root.home, 'latin'), Buffer.from([0x65, 0xe9, 0x0a]));
    const latin = await root.run(['stack', 'exec', `--target=${id}|${ips[0]}`, '--script', 'latin']);
    expect(latin).toMatchObject({ code: 2, stderr: expect.stringContaining('is not UTF-8') });
  });

  it('parses targets strictly', () => {
    expect(parseTarget('s|u@1.2.3.4:w')).toEqual({
      text: 's|u@1.2.3.4:w',
      stackId: 's',
      user: 'u',
      ip: '1.2.3.4',
      flag: 'w',
    });
    expect(parseTarget('s|[fd00::1]:w')).toMatchObject({ ip: 'fd00::1', flag: 'w' });
    expect(parseTarget('s|u@1.2.3.4:')).toMatchObject({ user: 'u', ip: '1.2.3.4' });
    expect(parseTarget('s|:w')).toEqual({ text: 's|:w', stackId: 's', flag: 'w' });
    for (const wrong of [
      '',
      '|',
      's|',
      's|u@',
      's|:',
      's|fd00::1',
      's|a|b',
      's|a b',
      's|@1.2.3.4',
      'u@1.2.3.4',
    ])
      expect(() => parseTarget(wrong), wrong).toThrow('--target');
  });
});

describe('a v2 stack', () => {
  it('supports ssh and exec, and returns its key without a layer', async () => {
    const v2 = await V2Caller.of(world.almanac);
    const stack = await v2.settled({ ...balanced, min: 1, max: 1 });
    const pem = await root.run(['stack', 'pem', stack, '--apiver', 'v2']);
    expect(pem.code, pem.stderr).toBe(0);
    host.allow(pem.stdout);
    expect(await exec([stack], 'echo old', '--apiver', 'v2')).toMatchObject({ code: 0, stdout: 'old\n' });
    const ticket = await root.json(['stack', 'ssh', stack, '--apiver', 'v2', '--fmt', 'json']);
    expect(ticket).toMatchObject({ expires_in: 60 });
  });
});

describe('alm stack pem', () => {
  it('prints the key of a layer and never shows the link to it', async () => {
    const { code, stdout, stderr } = await root.run([
      'stack',
      'pem',
      '--id',
      id,
      '--flag',
      'web0',
      '--verbose',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: world.key });
    expect(stderr).toContain('[alm]: info: payload:\n');
    expect(stderr).not.toMatch(/\/pem\/\w/);
  });

  it('writes the key to a file that only its owner can read', async () => {
    for (const name of ['new.pem', 'old.pem']) {
      const file = join(root.home, name);
      if (name === 'old.pem') writeFileSync(file, 'something else, and longer than nothing');
      if (name === 'old.pem') chmodSync(file, 0o644);
      const { code, stdout } = await root.run(['stack', 'pem', id, 'web0', '--out', name]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(readFileSync(file, 'utf8')).toBe(world.key);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('falls back to the configured address when the service returns an unreachable link', async () => {
    const { settings } = world.almanac.service;
    const original = settings.baseUrl;
    Object.assign(settings, { baseUrl: 'http://127.0.0.1:9/prefix' });
    const { code, stdout } = await root.run(['stack', 'pem', id, 'web0']);
    Object.assign(settings, { baseUrl: original });
    expect({ code, stdout }).toEqual({ code: 0, stdout: world.key });
  });

  it('exits with 6 for an unknown stack or layer', async () => {
    expect(await root.run(['stack', 'pem', id, 'Nope'])).toMatchObject({ code: 6, stdout: '' });
    expect(await root.run(['stack', 'pem', 'mo-none', 'web0'])).toMatchObject({ code: 6 });
  });
});
