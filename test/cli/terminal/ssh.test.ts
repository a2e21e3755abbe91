import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SshWorld } from '../../api/ssh/world.ts';
import { eventually } from '../../http.ts';
import { AlmUser } from '../alm.ts';
import { PtySession } from '../pty.ts';
import { CuttableProxy } from './cuttable-proxy.ts';
import { PtyHost } from './ssh-pty-host.ts';
import { LocalShell } from './ssh-shell.ts';

let world: SshWorld;
let host: PtyHost;
let root: AlmUser;
let onFirst: string[];
const opened: { close(): void }[] = [];

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

/** A local shell with an open `alm stack ssh`. */
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

describe('alm stack ssh (on a fake ssh host with real terminals)', () => {
  it('opens a terminal of the local size and forwards resizes', async () => {
    const session = await open();
    session.type('stty size\r');
    await session.shows('30 100');
    for (const [columns, rows] of [
      [132, 43],
      [90, 20],
    ] as const) {
      session.resize(columns, rows);
      // The remote shell waits for the size: a resize and a key may arrive in either order.
      session.type(
        `until [ "$(stty size)" = "${rows} ${columns}" ]; do sleep 0.05; done; echo is-$((${rows} + 1))\r`,
      );
      await session.shows(`is-${rows + 1}`);
    }
  });

  it('forwards every key including Ctrl-C, and exits with the code of the shell', async () => {
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

  it('shows multi-byte characters unchanged, even when they are split', async () => {
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

  it('disconnects at ~. on a new line, and types ~ for ~~', async () => {
    const session = await open();
    session.type('echo ~~. a~.b\r');
    await session.shows(/\r~~\. a~\.b/);
    session.type('~~\r');
    await session.shows('Is a directory');
    session.type('sleep 54325.25\r~');
    session.type('.');
    expect(await session.ended()).toBe(130);
    expect(session.seen).toContain('Disconnected from');
    const lastEvent = async () => (await world.events()).at(-1);
    await expect.poll(lastEvent).toMatch(/The client closed the connection/);
  });

  it('sends a long paste completely', async () => {
    const session = await open();
    const pasted = Array.from({ length: 30_000 }, (_, n) => `line ${n} of a paste 日\r`).join('');
    const bytes = Buffer.from(pasted);
    session.type(`stty raw -echo; echo go-now; head -c ${bytes.length} | sha256sum; stty sane\r`);
    await session.shows(/\rgo-now/);
    session.type(pasted);
    await session.shows(createHash('sha256').update(bytes).digest('hex'), 15);
  });

  it('applies back-pressure when the reader is slow', async () => {
    const fifo = join(root.home, 'slow');
    rmSync(fifo, { force: true });
    execFileSync('mkfifo', [fifo]);
    const shell = closing(new LocalShell(root));
    const before = host.bytesShown;
    shell.type(`alm ${onFirst.join(' ')} > slow\r`);
    const reader = createReadStream(fifo, { highWaterMark: 1024 });
    await new Promise<void>((resolve) => reader.once('readable', resolve));
    shell.type('yes 0123456789012345678901234567890123456789\r');
    await expect.poll(() => host.bytesShown - before).toBeGreaterThan(100_000);
    let shown = -1;
    const hasStopped = () => [shown === host.bytesShown, (shown = host.bytesShown)][0];
    await expect.poll(hasStopped, { interval: 300 }).toBe(true);
    const memory = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${shell.child()}/status`, 'utf8'))?.[1];
    expect(Number(memory)).toBeLessThan(200_000);
    let tail = '';
    reader.on('data', (chunk) => (tail = (tail + String(chunk)).slice(-100)));
    shell.type('\u0003');
    await expect.poll(() => tail).toMatch(/\^C[^]*remote> $/);
    shell.type('exit 3\r');
    await once(reader, 'close');
    expect(await shell.code()).toBe(3);
  });
});

describe('alm stack ssh restores the local terminal (on a fake ssh host)', () => {
  it('after the remote shell exits', async () => {
    const shell = await openInShell();
    expect(shell.settings()).toMatch(/-icanon/);
    shell.type('exit 9\r');
    expect(await shell.code()).toBe(9);
    await isUsable(shell);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s ends alm', async (signal, code) => {
    const shell = await openInShell();
    process.kill(shell.child(), signal);
    await shell.shows(/here> $/);
    await isUsable(shell);
    expect(await shell.code()).toBe(code);
  });

  it('after the connection is lost in a full-screen program', async () => {
    const proxy = closing(await CuttableProxy.to(world.almanac.url));
    const shell = await openInShell('--surl', proxy.url);
    expect(proxy.isUsed).toBe(true);
    shell.type("printf '\\033[?1049h\\033[?25lfull screen'; sleep 54326.25\r");
    await shell.shows('\u001B[?25lfull screen');
    proxy.cut();
    await shell.shows(/Connection to 127.0.0.1:\d+ lost/);
    await isUsable(shell);
    expect(shell.seen).toContain('\u001B[?25h\u001B[?1047l');
    expect(await shell.code()).toBe(8);
  });
});

describe('a terminal that cannot be opened', () => {
  it('reports whether the service refused it or could not reach the instance', async () => {
    const { stackId } = world;
    const ambiguous = closing(new PtySession(root, ['stack', 'ssh', stackId]));
    expect(await ambiguous.ended()).toBe(1);
    expect(ambiguous.seen).toMatch(
      /Several instances match; specify instance_id or ip[^]*Running instances: /,
    );
    const unknown = closing(new PtySession(root, ['stack', 'ssh', 'mo-none']));
    expect(await unknown.ended()).toBe(6);
    world.configure({ dial: () => Promise.reject(new Error('connect ETIMEDOUT')) });
    const unreachable = closing(new PtySession(root, onFirst));
    expect(await unreachable.ended()).toBe(1);
    world.configure({ dial: async () => host.dial() });
    expect(unreachable.seen).toMatch(/cannot be reached by ssh as ec2-user@[\d.]+: connect ETIMEDOUT\./);
    const noGateway = closing(new PtySession(root, [...onFirst, '--surl', 'http://127.0.0.1:9']));
    expect(await noGateway.ended()).toBe(8);
    expect(noGateway.seen).toContain('Could not connect to the terminal at ws://127.0.0.1:9');
    for (const { seen } of [ambiguous, unknown, unreachable, noGateway])
      expect(seen).not.toContain('ticket=');
  });

  it('suggests stack exec when standard input is not a terminal', async () => {
    const { code, stderr } = await root.run(onFirst);
    expect(code).toBe(2);
    expect(stderr).toContain('Standard input is not a terminal.');
    expect(stderr).toContain(`alm stack exec --target '${world.stackId}' --script <file>`);
  });
});

describe('other ways to open a terminal', () => {
  it('--browser opens a working page', async () => {
    const browser = join(root.home, 'browser');
    writeFileSync(browser, '#!/bin/sh\nprintf %s "$2" > "$1"\n');
    chmodSync(browser, 0o755);
    const file = join(root.home, 'address');
    const env = { BROWSER: `${browser} ${file} %s:never` };
    const { code, stderr } = await root.run([...onFirst, '--browser'], { env });
    expect(code).toBe(0);
    const address = /info: terminal: (\S+)/.exec(stderr)?.[1] ?? '';
    expect(address).toMatch(new RegExp(`^${world.almanac.url}/terminal\\?ticket=\\w{43}$`));
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe(address);
    expect((await fetch(address)).status).toBe(200);
    const without = await root.run([...onFirst, '--browser'], { env: { BROWSER: '/no/such/program' } });
    expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('Open the address yourself') });
  });

  it('--fmt json prints the ticket without a terminal', async () => {
    const ticket = await root.json<{ url: string }>([...onFirst, '--fmt', 'json']);
    expect(ticket).toMatchObject({ expires_in: 60, url: expect.stringMatching(/^\/v3\/alm\/terminal\?/) });
    const { stderr } = await root.run([...onFirst, '--fmt', 'raw', '--verbose']);
    expect(stderr).not.toContain('ticket');
  });
});
