import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installScript } from '../../src/agent/service/install-script.ts';
import { parseSettings } from '../../src/agent/settings.ts';

/** Stands for the agent: writes the ready file where its settings say, unless its layer is "never". */
const agent = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const [command, , path] = process.argv.slice(2);
const { readyFile, flag } = JSON.parse(readFileSync(path, 'utf8'));
if (command === 'status') { console.log('failed    the image is missing'); process.exit(0); }
mkdirSync(dirname(readyFile), { recursive: true });
if (flag !== 'never') writeFileSync(readyFile, '{}');
setInterval(() => {}, 1000);
`;
const sha256 = createHash('sha256').update(agent).digest('hex');
/** All the shell script needs of a system, but none of what it installs. */
const system = ['cat', 'chmod', 'cut', 'ln', 'mkdir', 'mv', 'nohup', 'rm', 'sed', 'sh', 'sha256sum', 'sleep'];

let server: Server;
let url: string;
let place: string;
let programs: string;
const sockets: { close(): void }[] = [];
beforeAll(async () => {
  server = createServer((request, reply) => reply.end(request.url === '/agent/alm-agent.mjs' ? agent : ''));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'almanac-install-'));
  programs = join(place, 'programs');
  mkdirSync(programs);
  mkdirSync(join(place, 'var/run'), { recursive: true });
  writeFileSync(join(place, 'token'), 'the-token');
  for (const name of system) link(name);
  program('id', 'echo 0');
});
afterEach(() => {
  const pidFile = join(place, 'run/alm-agent.pid');
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  for (const socket of sockets.splice(0)) socket.close();
  rmSync(place, { recursive: true, force: true });
});

function link(name: string): void {
  const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync);
  symlinkSync(name === 'node' ? process.execPath : (found ?? `/usr/bin/${name}`), join(programs, name));
}
function program(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}
/** A package manager that writes down what it was asked for, and brings it. */
const packageManager = (name: string) =>
  program(
    name,
    `echo "$0 $*" >> ${place}/asked
case "$*" in *nodejs*) ln -sf ${process.execPath} ${programs}/node; ln -sf /usr/bin/curl ${programs}/curl ;; esac`,
  );
const engine = () =>
  new Promise<void>((done) => {
    sockets.push(createSocket().listen(join(place, 'var/run/docker.sock'), done));
  });
const everything = async () => {
  for (const name of ['node', 'curl', 'git', 'ssh', 'tar']) link(name);
  await engine();
};

interface Ended {
  code: number;
  said: string;
}
async function install(options: string[], script = installScript(url, sha256)): Promise<Ended> {
  const child: ChildProcess = spawn('/bin/sh', ['-s', '--', ...options], {
    env: { PATH: programs, ALM_INSTALL_ROOT: place },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(script);
  const ended = new Promise<number>((done) => child.on('exit', (code) => done(code ?? -1)));
  const said = Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { code: await ended, said: (await said).join('') };
}
const usual = () => [
  '--stack',
  'mo-1-x',
  '--flag',
  'web "01"',
  '--token-file',
  join(place, 'token'),
  '--wait',
  '10',
];
const settingsFile = () => join(place, 'opt/almanac/agent.json');

describe('install.sh', () => {
  it('downloads the agent, writes its settings for root alone, starts it and waits until it is ready', async () => {
    await everything();
    const { code, said } = await install([...usual(), '--region', 'eu-central-1']);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('almanac: ready') });
    expect(statSync(settingsFile()).mode & 0o777).toBe(0o600);
    expect(parseSettings(readFileSync(settingsFile(), 'utf8'))).toMatchObject({
      server: url,
      stackId: 'mo-1-x',
      flag: 'web "01"',
      tokenFrom: `file:${join(place, 'token')}`,
      region: 'eu-central-1',
      engine: join(place, 'var/run/docker.sock'),
    });
    expect(readFileSync(join(place, 'usr/local/bin/alm-agent'), 'utf8')).toBe(agent);
  });

  it('hands it to systemd where that is', async () => {
    await everything();
    mkdirSync(join(place, 'run/systemd/system'), { recursive: true });
    program(
      'systemctl',
      `case $1 in restart) mkdir -p ${place}/run/almanac; : > ${place}/run/almanac/ready ;; esac`,
    );
    expect((await install(usual())).code).toBe(0);
    const unit = readFileSync(join(place, 'etc/systemd/system/alm-agent.service'), 'utf8');
    const agentFile = join(place, 'opt/almanac/alm-agent.mjs');
    expect(unit).toContain(
      `ExecStart=${join(programs, 'node')} ${agentFile} run --settings ${settingsFile()}`,
    );
    expect(unit).toContain('Restart=always');
  });

  it.each([
    ['apt-get', 'install -y --no-install-recommends nodejs git openssh-client curl tar'],
    ['dnf', 'install -y nodejs git openssh-clients curl tar'],
    ['apk', 'add --no-cache nodejs git openssh-client curl tar'],
  ])('installs what is missing with %s', async (name, asked) => {
    await engine();
    packageManager(name);
    expect(await install(usual())).toMatchObject({ code: 0 });
    expect(readFileSync(join(place, 'asked'), 'utf8')).toContain(asked);
  });

  it.each([
    ['an agent that is not the right one', [], 'a'.repeat(64), 'is not the one this script belongs to'],
    ['a layer that never gets ready', ['--flag', 'never', '--wait', '1'], sha256, 'the image is missing'],
    ['options it does not know', ['--nonsense', 'x'], sha256, 'usage: install.sh'],
    ['an option without its value', ['--server'], sha256, 'usage: install.sh'],
    [
      'a token file that is not there',
      ['--token-file', '/nowhere/token'],
      sha256,
      '/nowhere/token cannot be read',
    ],
    ['a server that is not there', ['--server', 'http://127.0.0.1:1'], sha256, 'cannot be downloaded'],
  ])('refuses %s with a line that says so', async (_, options, digest, reason) => {
    await everything();
    // Trying again is of no use here.
    rmSync(join(programs, 'curl'));
    program(
      'curl',
      'for one; do shift; [ "$one" = --retry ] && shift || set -- "$@" "$one"; done; exec /usr/bin/curl "$@"',
    );
    const { code, said } = await install([...usual(), ...options], installScript(url, digest));
    expect(code).toBe(1);
    expect(said).toContain(reason);
  });

  it('says what is missing where nothing can be installed', async () => {
    await engine();
    const { code, said } = await install(usual());
    expect(code).toBe(1);
    expect(said).toContain('no apt-get, dnf or apk to install them: nodejs git');
  });

  it('does nothing when only half of it arrived', async () => {
    await everything();
    const script = installScript(url, sha256);
    expect((await install(usual(), script.slice(0, script.length - 20))).said).not.toContain('started');
    expect(existsSync(join(place, 'opt'))).toBe(false);
  });
});
