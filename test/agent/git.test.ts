import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchRepository } from '../../src/agent/code/git.ts';
import { realClock as clock } from '../../src/basics/clock.ts';
import { eventually } from '../http.ts';
import { freePort } from './world/fake-engine.ts';
import { GitServer } from './world/git-server.ts';

let root: string;
let repository: string;
const gitServer = new GitServer();
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'almanac-git-'));
  repository = join(root, 'repository');
  mkdirSync(repository);
  git('init', '--quiet', '--initial-branch', 'main');
  commit('one');
  git('tag', 'v1');
  git('checkout', '--quiet', '-b', 'next');
  commit('two');
  await gitServer.start(repository);
});
afterEach(() => {
  gitServer.stop();
  rmSync(root, { recursive: true, force: true });
});

const git = (...argv: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...argv], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();
function commit(page: string): void {
  writeFileSync(join(repository, 'page'), page);
  git('add', '.');
  git('commit', '--quiet', '-m', page);
}
const tools = () => ({ clock, stateDirectory: join(root, 'state') });
async function pageOf(reference: string | null, address = gitServer.url, privateKey: string | null = null) {
  const directory = mkdtempSync(join(root, 'code-'));
  await fetchRepository(tools(), { kind: 'git', repository: address, reference, privateKey }, directory);
  return readFileSync(join(directory, 'page'), 'utf8');
}

describe('fetching code', () => {
  it('checks out a branch, a tag, a commit or the default branch', async () => {
    expect(await pageOf('next')).toBe('two');
    expect(await pageOf('v1')).toBe('one');
    expect(await pageOf(git('rev-parse', 'v1'))).toBe('one');
    expect(await pageOf(null)).toBe('two');
  });

  it('fails with the reason for an unknown reference or repository', async () => {
    await expect(pageOf('nowhere')).rejects.toThrow(
      `Cannot fetch the code from ${gitServer.url}: git failed: fatal: couldn't find remote ref nowhere`,
    );
    await expect(pageOf('main', gitServer.urlOf('absent'))).rejects.toThrow('repository not exported');
  });

  it('fails definitely for an unknown reference or repository, and not for a server that is away', async () => {
    await expect(pageOf('nowhere')).rejects.toMatchObject({ definite: true });
    await expect(pageOf('main', gitServer.urlOf('absent'))).rejects.toMatchObject({ definite: true });
    await expect(pageOf('main', 'git://127.0.0.1:1/code')).rejects.toMatchObject({ definite: false });
  });

  it('never treats a repository or reference as an option or a program', async () => {
    await expect(pageOf('--upload-pack=touch')).rejects.toThrow('is not a repository or reference');
    await expect(pageOf('main', '--help')).rejects.toThrow('is not a repository or reference');
    await expect(pageOf('main', `ext::sh -c touch% ${root}/made`)).rejects.toThrow('not allowed');
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('never reads the files of the instance, not even for a submodule', async () => {
    for (const local of [repository, `file://${repository}`])
      await expect(pageOf('main', local)).rejects.toThrow("transport 'file' not allowed");
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository, 'inner');
    git('commit', '--quiet', '-m', 'with a submodule');
    await expect(pageOf('next')).rejects.toThrow("transport 'file' not allowed");
  });

  it('fetches a submodule from the same server', async () => {
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository, 'inner');
    git('config', '--file', '.gitmodules', 'submodule.inner.url', '../repository');
    git('commit', '--quiet', '-a', '-m', 'with a submodule');
    expect(await pageOf('next')).toBe('two');
  });
});

/** An ssh server where the user who runs the tests can log in with one key. */
async function startSshd(): Promise<{ port: number; key: string; stop(): void }> {
  const directory = join(root, 'sshd');
  mkdirSync(directory, { mode: 0o700 });
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, name)]);
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(directory, 'host')}`,
    `AuthorizedKeysFile ${join(directory, 'user.pub')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    `PidFile ${join(directory, 'pid')}`,
  ];
  writeFileSync(join(directory, 'config'), `${lines.join('\n')}\n`);
  mkdirSync('/run/sshd', { recursive: true });
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(directory, 'config')], { stdio: 'ignore' });
  await eventually(
    () =>
      new Promise<boolean>((done) => {
        const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
        socket.unref();
      }),
    Boolean,
  );
  return { port, key: readFileSync(join(directory, 'user'), 'utf8'), stop: () => server.kill() };
}

const hasSshd = existsSync('/usr/sbin/sshd') && process.getuid?.() === 0;

describe.skipIf(!hasSshd)('fetching code with a private key', () => {
  it('authenticates with the key, pins the host key and leaves no private key on disk', async () => {
    const sshd = await startSshd();
    const address = `ssh://root@127.0.0.1:${sshd.port}${repository}`;
    try {
      expect(await pageOf('v1', address, sshd.key)).toBe('one');
      const knownHosts = join(root, 'state', 'known_hosts');
      const [, hostKey = ''] = readFileSync(join(root, 'sshd/host.pub'), 'utf8').split(' ');
      expect(readFileSync(knownHosts, 'utf8')).toContain(hostKey);
      expect(readdirSync(join(root, 'state'))).toEqual(['known_hosts']);
      expect(statSync(join(root, 'state')).mode & 0o777).toBe(0o700);

      writeFileSync(
        knownHosts,
        `[127.0.0.1]:${sshd.port} ${readFileSync(join(root, 'sshd/user.pub'), 'utf8')}`,
      );
      await expect(pageOf('v1', address, sshd.key)).rejects.toThrow('Cannot fetch the code');
    } finally {
      sshd.stop();
    }
  });
});
