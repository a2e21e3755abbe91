import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Environment, System } from '../system.ts';
import { childEnvironment } from './child-environment.ts';

interface HelperCall {
  program: string;
  /** Visible to every user of the machine: no secrets. */
  args: readonly string[];
  /** Written to its standard input. Without it, the program inherits ours if that is a terminal. */
  input?: string;
  env?: Environment;
  /** Name for messages. */
  name: string;
}

export interface HelperResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Hint of every error of a store. */
export const withoutStoreHint = 'To run without it: ALM_CREDENTIAL_STORE=none';

/** Longer if a user can enter a passphrase. */
const timeoutSeconds = { interactive: 30, unattended: 6 };

export const isInstalled = ({ env }: System, program: string): boolean =>
  (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });

const timeoutError = (name: string, seconds: number): CliError =>
  new CliError('refused', `Timeout: no response from ${name} within ${seconds} s.`, {
    hints: ['It may be locked, or waiting for a passphrase on another screen.', withoutStoreHint],
  });

const spawnHelper = ({ program, args, input, env }: HelperCall, system: System) =>
  spawn(program, [...args], {
    env: { ...childEnvironment(system.env), ...env },
    stdio: [input === undefined ? (isInteractive(system) ? 'inherit' : 'ignore') : 'pipe', 'pipe', 'pipe'],
    // A separate process group, so that its children can be killed with it.
    detached: system.platform !== 'win32',
    windowsHide: true,
  });

/** Whether a user can answer prompts. */
export const isInteractive = ({ stdin }: System): boolean => stdin.isTTY;

/** Runs a program of the platform, with a timeout. */
export function runHelper(system: System, call: HelperCall): Promise<HelperResult> {
  const seconds = timeoutSeconds[isInteractive(system) ? 'interactive' : 'unattended'];
  return new Promise((resolve, reject) => {
    const child = spawnHelper(call, system);
    const texts = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (texts.stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (texts.stderr += chunk));
    const cleanUp = (): void => {
      cancel();
      unsubscribe();
    };
    const abandon = (error: CliError): void => {
      cleanUp();
      killAll(child.pid, system.platform);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.unref();
      reject(error);
    };
    const cancel = system.clock.after(seconds * 1000, () => abandon(timeoutError(call.name, seconds)));
    const unsubscribe = system.onInterrupt(() => abandon(new CliError('interrupted', 'Interrupted.')));
    child.once('error', (error) => {
      cleanUp();
      reject(
        new CliError('refused', `Cannot run ${call.program}.`, { lines: [error.message], cause: error }),
      );
    });
    child.once('close', (code) => {
      cleanUp();
      resolve({ code, ...texts });
    });
    // It may exit before it has read all input.
    child.stdin?.on('error', () => {}).end(call.input);
  });
}

function killAll(pid: number | undefined, platform: NodeJS.Platform): void {
  if (pid === undefined) return;
  try {
    process.kill(platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has exited already.
  }
}

/** Describes a failed call with the output of the program. */
export const helperError = (action: string, { code, stderr }: HelperResult, ...hints: string[]): CliError => {
  const output = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 5);
  return new CliError('refused', `${action} failed.`, {
    lines:
      output.length > 0 ? output : [code === null ? 'Killed by a signal.' : `Exit code ${code}, no output.`],
    hints: [...hints, withoutStoreHint],
  });
};
