import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { shellQuote } from '../../basics/shell-quote.ts';
import { runCommand } from '../command.ts';
import type { Code } from '../deployment.ts';
import { DeployFailure } from '../failure.ts';
import { reasonOf } from '../log.ts';
import { writePrivately } from '../state.ts';

export interface CodeTools {
  clock: Clock;
  stateDirectory: string;
  signal?: AbortSignal | undefined;
}

type GitCode = Extract<Code, { kind: 'git' }>;

/**
 * The server refuses dangerous repositories; this is the second line. It also holds for submodules, which the server never
 * sees: `ext` runs programs, and `file` reads the instance's own disk.
 */
const environment = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:ssh:git' };

/** git runs this command in a shell. Trusts the host key of the first connection, and from then on only that key. */
const sshCommand = (knownHosts: string, key: string | null): string =>
  [
    'ssh',
    '-o BatchMode=yes',
    '-o ConnectTimeout=15',
    '-o StrictHostKeyChecking=accept-new',
    `-o UserKnownHostsFile=${shellQuote(knownHosts)}`,
    ...(key === null ? [] : ['-o IdentitiesOnly=yes', `-i ${shellQuote(key)}`]),
  ].join(' ');

const rejectOptions = ({ repository, reference }: GitCode): void => {
  for (const text of [repository, reference ?? ''])
    if (text.startsWith('-'))
      throw new Error(`"${text}" is not a repository or reference: it must not start with "-".`);
};

/** Messages for code that does not exist or must not be read. All others may be an outage. */
const refusal =
  /couldn't find remote ref|repository .*not (found|exported)|authentication failed|could not read username|permission denied \(/i;

/** Checks out one commit of the repository into the directory. The reference is a branch, a tag or a commit. */
export async function fetchRepository(tools: CodeTools, code: GitCode, directory: string): Promise<void> {
  rejectOptions(code);
  const { clock, stateDirectory, signal } = tools;
  const keyFile = code.privateKey === null ? null : join(stateDirectory, 'git-key');
  if (keyFile) await writePrivately(keyFile, `${code.privateKey?.trim()}\n`);
  const ssh = sshCommand(join(stateDirectory, 'known_hosts'), keyFile);
  const git = (...argv: string[]) =>
    runCommand(clock, ['git', '-c', `core.sshCommand=${ssh}`, ...argv], { directory, environment, signal });
  try {
    await mkdir(directory, { recursive: true });
    await git('init', '--quiet');
    // A named remote, because the URLs of submodules may be relative to it.
    await git('remote', 'add', '--', 'origin', code.repository);
    await git('fetch', '--quiet', '--depth', '1', '--', 'origin', code.reference ?? 'HEAD');
    await git('checkout', '--quiet', 'FETCH_HEAD');
    if (existsSync(join(directory, '.gitmodules')))
      await git('submodule', '--quiet', 'update', '--init', '--recursive', '--depth', '1');
  } catch (error) {
    const reason = reasonOf(error);
    throw new DeployFailure(`Cannot fetch the code from ${code.repository}: ${reason}`, {
      definite: refusal.test(reason),
      cause: error,
    });
  } finally {
    if (keyFile) await rm(keyFile, { force: true });
  }
}
