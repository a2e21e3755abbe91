import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { eventually } from '../../http.ts';
import { type AlmUser, almProgram } from '../alm.ts';

const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], setup: 'source <(alm completion bash)' },
  zsh: {
    args: ['-f', '-i'],
    setup: 'autoload -U compinit; compinit -u -D; source <(alm completion zsh)',
  },
  fish: { args: ['--no-config', '-i'], setup: 'alm completion fish | source' },
};

export type Shell = keyof typeof shells;
export const allShells = Object.keys(shells) as Shell[];

export const isInstalled = (shell: Shell): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Installs `alm` as a program in the path. */
function installInPath(user: AlmUser): string {
  const directory = join(user.home, 'bin');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'alm'), `#!/bin/sh\nexec "${process.execPath}" "${almProgram}" "$@"\n`);
  chmodSync(join(directory, 'alm'), 0o755);
  return directory;
}

const controlA = '\u0001';
const controlE = '\u0005';
const tab = '\t';

/** An interactive shell with completion for `alm`. */
export class ShellSession {
  readonly #pty: IPty;
  #seen = '';

  constructor(shell: Shell, user: AlmUser) {
    const { args, setup } = shells[shell];
    const env = user.environment;
    this.#pty = spawn(shell, args, {
      cols: 120,
      rows: 40,
      name: 'xterm-256color',
      cwd: user.home,
      env: { ...env, PATH: `${installInPath(user)}:${env.PATH}`, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    });
    this.#pty.onData((data) => (this.#seen += data));
    // Split, so that the echoed input does not match the output.
    this.#pty.write(`${setup}; echo rea''dy\r`);
  }

  async ready(): Promise<void> {
    await this.shows('ready');
  }

  shows(wanted: string): Promise<string> {
    return eventually(
      async () => this.#seen,
      (seen) => seen.includes(wanted),
    );
  }

  /** Types, presses Tab, and lets the shell print the words it would run. */
  async wordsAfterTab(typed: string): Promise<string[]> {
    this.#seen = '';
    this.#pty.write(`${typed}${tab}${controlA}printf '<%s>' ${controlE} :the-end\r`);
    const seen = await this.shows('<:the-end>');
    return [...(/(?:<[^<>]*>)*<:the-end>/.exec(seen)?.[0] ?? '').matchAll(/<([^<>]*)>/g)]
      .map((found) => found[1] ?? '')
      .slice(0, -1);
  }

  /** Types and presses Tab twice, which lists the candidates. */
  listAfterTabs(typed: string): void {
    this.#seen = '';
    this.#pty.write(`${typed}${tab}${tab}`);
  }

  close(): void {
    this.#pty.kill('SIGKILL');
  }
}
