import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../http.ts';
import { EngineWorld } from './world/engine-world.ts';

const world = new EngineWorld();
const { containers } = world.engine;
const place = mkdtempSync(join(tmpdir(), 'almanac-key-'));
const key = join(place, 'key');
const address = '10.54.0.10';
const agent = `
console.log('agent up', process.env.FLAG);
process.on('SIGTERM', () => { console.log('agent exits'); process.exit(0); });
setInterval(() => {}, 1000);
`;
let instance = '';

const ssh = (command: string) =>
  spawnSync(
    'ssh',
    [
      '-i',
      key,
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'BatchMode=yes',
    ].concat(['-o', 'LogLevel=ERROR', '-F', '/dev/null', `ec2-user@${address}`, command]),
    { encoding: 'utf8', env: { ...process.env, LANG: 'POSIX' } },
  );
const logged = (text: string, times = 1) =>
  eventually(
    () => containers.logs(instance, 50),
    (log) => log.split(text).length - 1 >= times,
  );
const hostKey = () => containers.readFile(instance, '/etc/ssh/ssh_host_ed25519_key.pub').then(String);

beforeAll(async () => {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const network = await world.network('net', '10.54.0.0/24');
  const environment = { AUTHORIZED_KEY: readFileSync(`${key}.pub`, 'utf8').trim(), FLAG: 'web' };
  const networks = [{ network, address }];
  instance = await world.run({ role: 'instance', name: 'instance', environment, networks });
  await world.ready(instance);
});
afterAll(async () => {
  await world.clear();
  rmSync(place, { recursive: true });
});

it('an instance accepts ssh with its key only, and uses UTF-8', () => {
  expect(ssh('echo "grüß 世 $LANG"; exit 3')).toMatchObject({ status: 3, stdout: 'grüß 世 C.UTF-8\n' });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${key}-other`]);
  const otherKey = spawnSync(
    'ssh',
    ['-i', `${key}-other`, '-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes'].concat([
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-F',
      '/dev/null',
      `ec2-user@${address}`,
      'true',
    ]),
  );
  expect(otherKey.status).toBe(255);
});

it('an instance has the programs its agent needs', async () => {
  const programs = 'git --version; curl --version; node --version; ip -V; ps --version';
  expect(ssh(programs)).toMatchObject({ status: 0, stderr: '' });
});

it('an instance starts its agent once the file exists, and restarts it after a crash', async () => {
  await containers.putFiles(instance, [{ path: '/opt/almanac/alm-agent.mjs', content: agent }]);
  await logged('agent up web');
  await world.exec(instance, 'pkill', '-KILL', '-f', 'alm-agent.mjs');
  await logged('agent up web', 2);
});

it('an instance stops its agent with SIGTERM, and keeps its host key after a restart', async () => {
  const before = await hostKey();
  await containers.stop(instance, 10);
  await logged('agent exits');
  expect((await containers.inspect(instance))?.exitCode).toBe(0);
  await containers.start(instance);
  await world.ready(instance);
  expect(await hostKey()).toBe(before);
  expect(ssh('true').status).toBe(0);
});
