import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { runCommand } from '../command.ts';
import { writePrivately } from '../state.ts';
import type { Code } from '../wanted.ts';

export interface CodeTools {
  clock: Clock;
  stateDirectory: string;
  signal?: AbortSignal | undefined;
}

type GitCode = Extract<Code, { kind: 'git' }>;

const environment = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' };

/** ssh reads the command of git as a shell does. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A host is trusted as it first answers, and from then on only as it answered then. */
const sshCommand = (knownHosts: string, key: string | null): string =>
  [
    'ssh',
    '-o BatchMode=yes',
    '-o ConnectTimeout=15',
    '-o StrictHostKeyChecking=accept-new',
    `-o UserKnownHostsFile=${quote(knownHosts)}`,
    ...(key === null ? [] : ['-o IdentitiesOnly=yes', `-i ${quote(key)}`]),
  ].join(' ');

const refuseOptions = ({ repository, reference }: GitCode): void => {
  for (const text of [repository, reference ?? ''])
    if (text.startsWith('-')) throw new Error(`"${text}" is neither a repository nor a reference.`);
};

/** Puts one commit of the repository into the directory. Branches, tags and commits all go by the same way. */
export async function fetchRepository(tools: CodeTools, code: GitCode, directory: string): Promise<void> {
  refuseOptions(code);
  const { clock, stateDirectory, signal } = tools;
  const keyFile = code.privateKey === null ? null : join(stateDirectory, 'git-key');
  if (keyFile) await writePrivately(keyFile, `${code.privateKey?.trim()}\n`);
  const ssh = sshCommand(join(stateDirectory, 'known_hosts'), keyFile);
  const git = (...argv: string[]) =>
    runCommand(clock, ['git', '-c', `core.sshCommand=${ssh}`, ...argv], { directory, environment, signal });
  try {
    await mkdir(directory, { recursive: true });
    await git('init', '--quiet');
    // A remote by name, because submodules may be written relative to it.
    await git('remote', 'add', 'origin', code.repository);
    await git('fetch', '--quiet', '--depth', '1', 'origin', code.reference ?? 'HEAD');
    await git('checkout', '--quiet', 'FETCH_HEAD');
    if (existsSync(join(directory, '.gitmodules')))
      await git('submodule', '--quiet', 'update', '--init', '--recursive', '--depth', '1');
  } catch (error) {
    throw new Error(`The code was not fetched from ${code.repository}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    if (keyFile) await rm(keyFile, { force: true });
  }
}
