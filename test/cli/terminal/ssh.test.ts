import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { socketAddress } from '../../../src/cli/terminal/gateway-address.ts';
import { SshWorld } from '../../api/ssh/world.ts';
import { eventually } from '../../http.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { Line } from './ssh-line.ts';
import { PtyHost } from './ssh-pty-host.ts';
import { LocalShell } from './ssh-shell.ts';

let world: SshWorld;
let host: PtyHost;
let root: AlmUser;
let onFirst: string[];
const opened: { close(): void }[] = [];
const soon = { timeout: 10_000 };

beforeAll(async () => {
  world = await SshWorld.start();
  host = await PtyHost.start();
  host.allow(world.key);
  world.configure({ dial: async () => host.dial() });
  root = new AlmUser({ ALM_URL: world.almanac.url, ALM_TOKEN: await world.almanac.userToken() });
  onFirst = ['stack', 'ssh', world.stackId, '--ip', (await world.firstInstance()).privateIp];
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
afterAll(async () => {
  await world.close();
  await host.close();
  root.close();
});

const closing = <T extends { close(): void }>(each: T): T => {
  opened.push(each);
  return each;
};

const open = async (...more: string[]): Promise<PtySession> => {
  const session = closing(new PtySession(root, [...onFirst, ...more]));
  await session.shows('remote> ');
  return session;
};

/** A shell in which `alm` is on the instance. */
const openInShell = async (...more: string[]): Promise<LocalShell> => {
  const shell = closing(new LocalShell(root));
  await shell.shows('here> ');
  shell.type(`alm ${[...onFirst, ...more].join(' ')}\r`);
  await shell.shows('remote> ');
  return shell;
};

const isUsable = async (shell: LocalShell): Promise<void> => {
  await eventually(
    async () => shell.settings(),
    (settings) =>
      ['echo', 'icanon', 'isig', 'icrnl', 'opost'].every((word) => settings.split(/\s/).includes(word)),
  );
};

describe('alm stack ssh (the instance is our pretended ssh host, with real terminals)', () => {
  it('is a terminal: it has our size, and follows it', async () => {
    const session = await open();
    session.type('stty size\r');
    await session.shows('30 100');
    session.resize(132, 43);
    session.type('trap "stty size" WINCH; stty size\r');
    await session.shows('43 132');
    session.resize(90, 20);
    await session.shows('20 90');
  });

  it('hands every key on, Ctrl-C too, and ends with the exit code of the shell', async () => {
    const session = await open();
    session.type('sleep 54324.25\r');
    const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('54324.25');
    await eventually(async () => isRunning(), Boolean);
    session.type('\u0003');
    await eventually(
      async () => isRunning(),
      (runs) => !runs,
    );
    session.type('echo after=$((40 + 2))\r');
    await session.shows('after=42');
    session.type('exit 7\r');
    expect(await session.ended()).toBe(7);
  });

  it('shows every sign as it is, wherever its bytes are cut', async () => {
    const session = await open();
    session.type('echo 日本語 👍 | tee /dev/null | wc -c\r');
    await session.shows('日本語 👍');
    await session.shows(/\r15\r\n/);
    session.type(
      "printf '\\346\\227'; sleep 0.2; printf '\\245\\360\\237'; sleep 0.2; printf '\\221\\215!'\r",
    );
    await session.shows('日👍!');
    session.type("stty -opost; printf 'one\\ndown'; stty opost\r");
    await session.shows('one\ndown');
  });

  it('hangs up at ~. on a new line, and types ~ for ~~', async () => {
    const session = await open();
    session.type('echo ~~. a~.b\r');
    await session.shows(/\r~~\. a~\.b/);
    session.type('~~\r');
    await session.shows('Is a directory');
    session.type('sleep 54325.25\r~');
    session.type('.');
    expect(await session.ended()).toBe(130);
    expect(session.seen).toContain('You hung up on');
    await expect.poll(async () => (await world.events()).at(-1), soon).toMatch(/The other end hung up/);
  });

  it('takes a long paste, and loses none of it', async () => {
    const session = await open();
    const pasted = Array.from({ length: 30_000 }, (_, n) => `line ${n} of a paste 日\r`).join('');
    const bytes = Buffer.from(pasted);
    session.type(`stty raw -echo; echo go-now; head -c ${bytes.length} | sha256sum; stty sane\r`);
    await session.shows(/\rgo-now/);
    session.type(pasted);
    await session.shows(createHash('sha256').update(bytes).digest('hex'), 15);
  });

  it('does not run ahead of whoever reads it', async () => {
    const fifo = join(root.home, 'slow');
    rmSync(fifo, { force: true });
    execFileSync('mkfifo', [fifo]);
    const shell = closing(new LocalShell(root));
    const before = host.bytesShown;
    shell.type(`alm ${onFirst.join(' ')} > slow\r`);
    const reader = createReadStream(fifo, { highWaterMark: 1024 });
    await new Promise<void>((resolve) => reader.once('readable', resolve));
    shell.type('yes 0123456789012345678901234567890123456789\r');
    await expect.poll(() => host.bytesShown - before, soon).toBeGreaterThan(100_000);
    let shown = -1;
    const hasStopped = () => [shown === host.bytesShown, (shown = host.bytesShown)][0];
    await expect.poll(hasStopped, { ...soon, interval: 300 }).toBe(true);
    const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${shell.child()}/status`, 'utf8'))?.[1];
    expect(Number(memory)).toBeLessThan(200_000);
    let tail = '';
    reader.on('data', (chunk) => (tail = (tail + String(chunk)).slice(-100)));
    shell.type('\u0003');
    await expect.poll(() => tail, soon).toMatch(/\^C[^]*remote> $/);
    shell.type('exit 3\r');
    await once(reader, 'close');
    expect(await shell.code()).toBe(3);
  });
});

describe('the local terminal is as it was before (on our pretended ssh host)', () => {
  it('after the shell has left', async () => {
    const shell = await openInShell();
    expect(shell.settings()).toMatch(/-icanon/);
    shell.type('exit 9\r');
    expect(await shell.code()).toBe(9);
    await isUsable(shell);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after alm was ended by %s', async (signal, code) => {
    const shell = await openInShell();
    process.kill(shell.child(), signal);
    await shell.shows(/here> $/);
    await isUsable(shell);
    expect(await shell.code()).toBe(code);
  });

  it('after the connection was lost, in a program with the whole screen', async () => {
    const line = closing(await Line.to(world.almanac.url));
    const shell = await openInShell('--surl', line.url);
    expect(line.isUsed).toBe(true);
    shell.type("printf '\\033[?1049h\\033[?25lfull screen'; sleep 54326.25\r");
    await shell.shows('\u001B[?25lfull screen');
    line.cut();
    await shell.shows(/The connection to 127.0.0.1:\d+ was lost/);
    await isUsable(shell);
    expect(shell.seen).toContain('\u001B[?25h\u001B[?1047l');
    expect(await shell.code()).toBe(8);
  });
});

describe('a terminal that is not to be had', () => {
  it('says why: the service refuses it, or cannot reach the instance', async () => {
    const { stackId } = world;
    const several = closing(new PtySession(root, ['stack', 'ssh', stackId]));
    expect(await several.ended()).toBe(1);
    expect(several.seen).toMatch(/Several instances match; specify instance_id or ip[^]*Running instances: /);
    const none = closing(new PtySession(root, ['stack', 'ssh', 'mo-none']));
    expect(await none.ended()).toBe(6);
    world.configure({ dial: () => Promise.reject(new Error('connect ETIMEDOUT')) });
    const unreached = closing(new PtySession(root, onFirst));
    expect(await unreached.ended()).toBe(1);
    world.configure({ dial: async () => host.dial() });
    expect(unreached.seen).toMatch(/cannot be reached by ssh as ec2-user@[\d.]+: connect ETIMEDOUT\./);
    const noGateway = closing(new PtySession(root, [...onFirst, '--surl', 'http://127.0.0.1:9']));
    expect(await noGateway.ended()).toBe(8);
    expect(noGateway.seen).toContain('The terminal at ws://127.0.0.1:9 was not reached');
    for (const { seen } of [several, none, unreached, noGateway]) expect(seen).not.toContain('ticket=');
  });

  it('without a terminal of ours is a script', async () => {
    const { code, stderr } = await root.run(onFirst);
    expect(code).toBe(2);
    expect(stderr).toContain('Standard input is no terminal.');
    expect(stderr).toContain(`alm stack exec --target '${world.stackId}' --script <file>`);
  });
});

describe('a terminal elsewhere', () => {
  it('in the browser is a page that opens', async () => {
    const browser = join(root.home, 'browser');
    writeFileSync(browser, '#!/bin/sh\nprintf %s "$2" > "$1"\n');
    chmodSync(browser, 0o755);
    const file = join(root.home, 'address');
    const env = { BROWSER: `${browser} ${file} %s:never` };
    const { code, stderr } = await root.run([...onFirst, '--browser'], { env });
    expect(code).toBe(0);
    const address = /info: terminal: (\S+)/.exec(stderr)?.[1] ?? '';
    expect(address).toMatch(new RegExp(`^${world.almanac.url}/terminal\\?ticket=\\w{43}$`));
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), soon).toBe(address);
    expect((await fetch(address)).status).toBe(200);
    const without = await root.run([...onFirst, '--browser'], { env: { BROWSER: '/no/such/program' } });
    expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('open the address yourself') });
  });

  it('for programs is the ticket, without a terminal', async () => {
    const ticket = await root.json<{ url: string }>([...onFirst, '--fmt', 'json']);
    expect(ticket).toMatchObject({ expires_in: 60, url: expect.stringMatching(/^\/v3\/alm\/terminal\?/) });
    const { stderr } = await root.run([...onFirst, '--fmt', 'raw', '--verbose']);
    expect(stderr).not.toContain('ticket');
  });

  it('is below the path the service has', () => {
    const addresses = { api_url: 'https://a.example/alm/', gateway_url: '' };
    expect(socketAddress(addresses, '/x?ticket=1').href).toBe('wss://a.example/alm/x?ticket=1');
    expect(() => socketAddress(addresses, '@evil.example/')).toThrow('an address that is none');
  });
});
