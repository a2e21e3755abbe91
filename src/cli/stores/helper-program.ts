import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Environment, System } from '../system.ts';
import { childEnvironment } from './child-environment.ts';

export interface Asked {
  program: string;
  /** Everybody on the machine can read these: no secrets. */
  args: readonly string[];
  /** Goes to its standard input. Without it the program has ours, where that is a terminal. */
  input?: string;
  env?: Environment;
  /** What the person calls it. */
  name: string;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A store that asks somebody for a passphrase needs more time than one that asks nobody. */
const limits = { attended: 30, alone: 6 };

export const isInstalled = ({ env }: System, program: string): boolean =>
  (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });

const tooSlow = (name: string, seconds: number): CliError =>
  new CliError('refused', `No answer came from ${name} within ${seconds} s.`, {
    hints: [
      'It may be locked, or be asking somebody on another screen.',
      'Without it: ALM_CREDENTIAL_STORE=none',
    ],
  });

const open = ({ program, args, input, env }: Asked, system: System) =>
  spawn(program, [...args], {
    env: { ...childEnvironment(system.env), ...env },
    stdio: [input === undefined ? (isAttended(system) ? 'inherit' : 'ignore') : 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: system.platform !== 'win32',
    windowsHide: true,
  });

/** Whether somebody sits there who can answer. */
export const isAttended = ({ stdin }: System): boolean => stdin.isTTY;

/** Runs a program of the platform to its end, or for as long as it may take. */
export function runHelper(system: System, asked: Asked): Promise<Ran> {
  const seconds = isAttended(system) ? limits.attended : limits.alone;
  return new Promise((resolve, reject) => {
    const child = open(asked, system);
    const texts = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (texts.stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (texts.stderr += chunk));
    const end = (): void => {
      cancel();
      stopListening();
    };
    const abandon = (why: CliError): void => {
      end();
      killAll(child.pid, system.platform);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.unref();
      reject(why);
    };
    const cancel = system.clock.after(seconds * 1000, () => abandon(tooSlow(asked.name, seconds)));
    const stopListening = system.onInterrupt(() => abandon(new CliError('interrupted', 'Interrupted.')));
    child.once('error', (error) => {
      end();
      reject(
        new CliError('refused', `${asked.program} cannot be run.`, { lines: [error.message], cause: error }),
      );
    });
    child.once('close', (code) => {
      end();
      resolve({ code, ...texts });
    });
    // It may end without having read all of it.
    child.stdin?.on('error', () => {}).end(asked.input);
  });
}

function killAll(pid: number | undefined, platform: NodeJS.Platform): void {
  if (pid === undefined) return;
  try {
    process.kill(platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** What went wrong, with the program's own words. */
export const failed = (doing: string, { code, stderr }: Ran, ...hints: string[]): CliError => {
  const said = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 5);
  return new CliError('refused', `${doing} failed.`, {
    lines: said.length > 0 ? said : [`It ended with ${code ?? 'a signal'} and said nothing.`],
    hints: [...hints, 'Without it: ALM_CREDENTIAL_STORE=none'],
  });
};
