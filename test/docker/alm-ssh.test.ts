import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AlmUser } from '../cli/alm.ts';
import { PtySession } from '../cli/pty.ts';
import { LocalShell } from '../cli/terminal/ssh-shell.ts';
import { AlmanacProcess } from '../e2e/almanac-process.ts';
import type { Json } from '../http.ts';
import { makeTestPlace } from '../open-database.ts';
import { DockerStack, dockerSettings } from './world/e2e-world.ts';

/** `alm` on real instances with OpenSSH: the essential cases of test/cli/terminal/ssh.test.ts. */
const twoServers = {
  version: '2017-03-03',
  vendor: { docker: { cred: 'local', region: 'local', secret: 'none' } },
  configurations: [
    {
      role: 'web',
      flag: 'web0',
      provision: {
        image: '${computed}',
        instance_type: 'small',
        instance_count: 2,
        availability_zone: 'local',
        keypair: true,
      },
    },
  ],
};

let stack: DockerStack;
let root: AlmUser;
let ips: string[];
let onFirst: string[];

beforeAll(async () => {
  const place = await makeTestPlace();
  const server = await AlmanacProcess.serve(place, dockerSettings);
  stack = new DockerStack(place, server);
  root = new AlmUser({ ALM_URL: server.url, ALM_TOKEN: await server.userToken() });
  stack.id = await server.applyTemplate(twoServers);
  await stack.waitFor('CREATE_COMPLETE');
  ips = (await stack.withInstances(2)).map(({ PrivateIpAddress }: Json) => String(PrivateIpAddress));
  onFirst = ['stack', 'ssh', stack.id, '--ip', String(ips[0])];
});

afterAll(async () => {
  await stack.server.call('DELETE', `/v3/alm/stack/${stack.id}`);
  await stack.waitFor('DELETE_COMPLETE').catch(() => {});
  await stack.server.kill('SIGTERM');
  await stack.place.remove();
  root.close();
});

describe('alm stack ssh on a real instance', () => {
  it('forwards size, Ctrl-C and multi-byte characters, and exits with the code of the shell', async () => {
    const session = new PtySession(root, onFirst);
    session.type('exec env LC_ALL=C.UTF-8 PS1="remote> " bash --norc\r');
    await session.shows(/remote> $/);
    session.type('stty size\r');
    await session.shows('30 100');
    session.resize(132, 43);
    // The new size takes another way than what is typed.
    session.type("until stty size | grep '43 1[3]2'; do sleep 0.1; done\r");
    await session.shows('43 132');
    session.type('sleep 100; echo "it took $?"\r');
    await session.shows('sleep 100');
    session.type('\u0003');
    await session.shows('^C');
    session.type('echo "日本語 👍" | rev\r');
    await session.shows('👍 語本日');
    session.type('exit 7\r');
    expect(await session.ended()).toBe(7);
  });

  it('restores the local terminal', async () => {
    const shell = new LocalShell(root);
    await shell.shows('here> ');
    const before = shell.settings();
    shell.type(`alm ${onFirst.join(' ')}\r`);
    await shell.shows(/\$ $/);
    expect(shell.settings()).toMatch(/-echo /);
    shell.type('exit\r');
    expect(await shell.code()).toBe(0);
    expect(shell.settings()).toBe(before);
    shell.close();
  });
});

describe('alm stack exec on real instances', () => {
  it('runs on both instances and reports which one failed', async () => {
    const targets = ips.flatMap((ip) => ['--target', `${stack.id}|ec2-user@${ip}:web0`]);
    const script = `#!/bin/bash\nid -un\nhostname -I | grep -qw ${ips[0]} || { echo not me >&2; exit 5; }\n`;
    const ended = await root.run(['stack', 'exec', ...targets, '--script', '-'], { input: script });
    expect(ended).toMatchObject({ code: 3, stdout: 'ec2-user\nec2-user\n' });
    expect(ended.stderr).toContain('[1]error: the script exited with code 5.');
    expect(ended.stderr).not.toContain('[0]error');
  });
});

describe('alm stack pem', () => {
  it('prints a key that OpenSSH accepts', async () => {
    const { code, stderr } = await root.run(['stack', 'pem', stack.id, 'web0', '--out', 'web0.pem']);
    expect(code, stderr).toBe(0);
    const trusting = [
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'BatchMode=yes',
    ];
    const key = ['-i', join(root.home, 'web0.pem'), '-o', 'IdentitiesOnly=yes'];
    const argv = [...trusting, ...key, `ec2-user@${ips[0]}`, 'echo "hello from $(id -un)"'];
    expect(execFileSync('ssh', argv, { encoding: 'utf8', timeout: 20_000 })).toBe('hello from ec2-user\n');
  });
});
