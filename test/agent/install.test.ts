import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
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

/** A fake agent: writes the ready file named in its settings, unless its layer is "never". */
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
/** The programs the script requires, without those it installs. */
const system = ['cat', 'chmod', 'cut', 'ln', 'mkdir', 'mv', 'nohup', 'rm', 'sed', 'sh', 'sha256sum', 'sleep'];

let server: Server;
let url: string;
let root: string;
let programs: string;
const sockets: { close(): void }[] = [];
beforeAll(async () => {
  server = createServer((request, reply) => reply.end(request.url === '/agent/alm-agent.mjs' ? agent : ''));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'almanac-install-'));
  programs = join(root, 'programs');
  mkdirSync(programs);
  mkdirSync(join(root, 'var/run'), { recursive: true });
  writeFileSync(join(root, 'token'), 'the-token');
  for (const name of system) link(name);
  program('id', 'echo 0');
});
afterEach(() => {
  const pidFile = join(root, 'run/alm-agent.pid');
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
  for (const socket of sockets.splice(0)) socket.close();
  rmSync(root, { recursive: true, force: true });
});

function link(name: string): void {
  const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(existsSync);
  symlinkSync(name === 'node' ? process.execPath : (found ?? `/usr/bin/${name}`), join(programs, name));
}
function program(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}
/** A fake package manager that records its arguments and installs node and curl. */
const packageManager = (name: string) =>
  program(
    name,
    `echo "$0 $*" >> ${root}/installed
case "$*" in *nodejs*) ln -sf ${process.execPath} ${programs}/node; ln -sf /usr/bin/curl ${programs}/curl ;; esac`,
  );
const startEngine = () =>
  new Promise<void>((done) => {
    sockets.push(createSocket().listen(join(root, 'var/run/docker.sock'), done));
  });
const installEverything = async () => {
  for (const name of ['node', 'curl', 'git', 'ssh', 'tar']) link(name);
  await startEngine();
};

interface Result {
  code: number;
  output: string;
}
async function install(
  options: string[],
  script = installScript(url, sha256),
  environment: Record<string, string> = {},
): Promise<Result> {
  const child: ChildProcess = spawn('/bin/sh', ['-s', '--', ...options], {
    env: { PATH: programs, ALM_INSTALL_ROOT: root, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(script);
  const exit = new Promise<number>((done) => child.on('exit', (code) => done(code ?? -1)));
  const output = Promise.all([text(child.stdout!), text(child.stderr!)]);
  return { code: await exit, output: (await output).join('') };
}
const validOptions = () => [
  '--stack',
  'mo-1-x',
  '--flag',
  'web "01"',
  '--token-file',
  join(root, 'token'),
  '--wait',
  '10',
];
const settingsFile = () => join(root, 'opt/almanac/agent.json');

const scriptFile = join(import.meta.dirname, '../../src/agent/service/install.sh');
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;

describe('install.sh', () => {
  it('is a valid POSIX shell script', () => {
    expect(spawnSync('sh', ['-n', scriptFile]).status).toBe(0);
  });

  it.skipIf(!hasShellcheck)('passes shellcheck', () => {
    const { stdout, status } = spawnSync('shellcheck', [scriptFile], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('has no unreplaced placeholder, and quotes the URL of the server', () => {
    const script = installScript("https://alma'nac.example/$&/", sha256);
    expect(script).not.toMatch(/__[A-Z]/);
    expect(script).toContain(`server='https://alma'\\''nac.example/$&'\nsha256='${sha256}'\n`);
  });

  it('downloads the agent, writes its settings with mode 600, starts it and waits until it is ready', async () => {
    await installEverything();
    const { code, output } = await install([
      ...validOptions(),
      '--region',
      'eu-central-1',
      '--instance',
      'i-7',
    ]);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('almanac: ready') });
    expect(statSync(settingsFile()).mode & 0o777).toBe(0o600);
    expect(parseSettings(readFileSync(settingsFile(), 'utf8'))).toMatchObject({
      server: url,
      stackId: 'mo-1-x',
      flag: 'web "01"',
      tokenFrom: `file:${join(root, 'token')}`,
      region: 'eu-central-1',
      instanceId: 'i-7',
      engine: join(root, 'var/run/docker.sock'),
    });
    expect(readFileSync(join(root, 'usr/local/bin/alm-agent'), 'utf8')).toBe(agent);
  });

  it('uses the metadata service of Alibaba Cloud for a token in OOS, and refuses a source it does not know', async () => {
    for (const name of ['node', 'git', 'ssh', 'tar']) link(name);
    await startEngine();
    const session = 'X-aliyun-ecs-metadata-token-ttl-seconds: 60 http://100.100.100.200/latest/api/token';
    program('curl', `case "$*" in *"${session}"*) exit 0 ;; esac\nexec /usr/bin/curl "$@"`);
    const from = (source: string) => [
      '--stack',
      'mo-1-x',
      '--flag',
      'web',
      '--token-from',
      source,
      '--wait',
      '10',
    ];
    expect(await install(from('oos:almanac/mo-1-x/agent-token'))).toMatchObject({ code: 0 });
    expect(parseSettings(readFileSync(settingsFile(), 'utf8'))).toMatchObject({
      tokenFrom: 'oos:almanac/mo-1-x/agent-token',
      cloud: 'alicloud',
      metadata: 'http://100.100.100.200',
    });
    for (const source of ['oos:', 'kms:x']) expect((await install(from(source))).code).toBe(1);
  });

  it('installs a systemd unit on systems with systemd, with the directory of persistent files', async () => {
    await installEverything();
    mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
    program(
      'systemctl',
      `case $1 in restart) mkdir -p ${root}/run/almanac; : > ${root}/run/almanac/ready ;; esac`,
    );
    const environment = { ALM_AGENT_STORAGE_DIR: '/files' };
    expect((await install(validOptions(), undefined, environment)).code).toBe(0);
    const unit = readFileSync(join(root, 'etc/systemd/system/alm-agent.service'), 'utf8');
    const agentFile = join(root, 'opt/almanac/alm-agent.mjs');
    expect(unit).toContain(
      `ExecStart=${join(programs, 'node')} ${agentFile} run --settings ${settingsFile()}`,
    );
    expect(unit).toContain('Restart=always');
    expect(unit.split('\n')).toContain('Environment=ALM_AGENT_STORAGE_DIR=/files');
  });

  it.each([
    ['apt-get', 'install -y --no-install-recommends nodejs git openssh-client curl tar'],
    ['dnf', 'install -y nodejs git openssh-clients curl tar'],
    ['apk', 'add --no-cache nodejs git openssh-client curl tar'],
  ])('installs missing packages with %s', async (name, expected) => {
    await startEngine();
    packageManager(name);
    expect(await install(validOptions())).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, 'installed'), 'utf8')).toContain(expected);
  });

  it.each([
    ['an agent with another checksum', [], 'a'.repeat(64), 'checksum mismatch'],
    ['a layer that never becomes ready', ['--flag', 'never', '--wait', '1'], sha256, 'the image is missing'],
    ['unknown options', ['--nonsense', 'x'], sha256, 'usage: install.sh'],
    ['an option without a value', ['--server'], sha256, 'usage: install.sh'],
    ['a missing token file', ['--token-file', '/nowhere/token'], sha256, 'cannot read /nowhere/token'],
    ['an unreachable server', ['--server', 'http://127.0.0.1:1'], sha256, 'cannot download the agent'],
  ])('exits with 1 and the reason for %s', async (_, options, digest, reason) => {
    await installEverything();
    // Without --retry: retries only slow the test down.
    rmSync(join(programs, 'curl'));
    program(
      'curl',
      'for one; do shift; [ "$one" = --retry ] && shift || set -- "$@" "$one"; done; exec /usr/bin/curl "$@"',
    );
    const { code, output } = await install([...validOptions(), ...options], installScript(url, digest));
    expect(code).toBe(1);
    expect(output).toContain(reason);
  });

  it('lists the missing packages when there is no package manager', async () => {
    await startEngine();
    const { code, output } = await install(validOptions());
    expect(code).toBe(1);
    expect(output).toContain('no apt-get, dnf or apk to install them: nodejs git');
  });

  it('does nothing when the download of the script is incomplete', async () => {
    await installEverything();
    const script = installScript(url, sha256);
    expect((await install(validOptions(), script.slice(0, script.length - 20))).output).not.toContain(
      'started',
    );
    expect(existsSync(join(root, 'opt'))).toBe(false);
  });
});
