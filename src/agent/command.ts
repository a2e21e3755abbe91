import { spawn } from 'node:child_process';
import type { Clock } from '../basics/clock.ts';

export interface CommandOptions {
  directory?: string;
  /** Added to the environment of the agent. */
  environment?: Readonly<Record<string, string>>;
  /** Whose rights it has; the agent's own when absent. */
  user?: { uid: number; gid: number };
  /** What it reads. */
  input?: string;
  seconds?: number;
  signal?: AbortSignal | undefined;
}

const keptOfErrors = 4000;

/** The last words of a program are usually about what went wrong. */
const lastLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-5)
    .join(' ');

/** The program and whatever it started, which is one group with its number. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

function startProgram(argv: readonly string[], options: CommandOptions) {
  const { directory, environment = {}, user, input = '' } = options;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...variables, ...argv], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'pipe'],
    // A session of its own has no terminal, so nothing can stop to ask for a password.
    detached: true,
    ...user,
  });
  // A program that does not read what it is given closes its end, which is no failure.
  child.stdin.on('error', () => undefined).end(input);
  return child;
}

/** Calls back with the reason when the program is to end early; gives how to call that off. */
function watchLimits(clock: Clock, options: CommandOptions, stop: (why: string) => void): () => void {
  const { seconds = 600, signal } = options;
  const abort = () => stop('the agent stops');
  const cancel = clock.after(seconds * 1000, () => stop(`no end after ${seconds} s`));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return () => {
    cancel();
    signal?.removeEventListener('abort', abort);
  };
}

/** Runs a program to its end; throws a sentence with its last words. */
export function runCommand(
  clock: Clock,
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<void> {
  const [program = ''] = argv;
  return new Promise((resolve, reject) => {
    const child = startProgram(argv, options);
    let errors = '';
    let stopped = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-keptOfErrors);
    });
    const callOff = watchLimits(clock, options, (why) => {
      stopped = why;
      end(child.pid);
    });
    child.on('error', (error) => {
      callOff();
      reject(new Error(`${program} cannot be run: ${error.message}`));
    });
    child.on('close', (code) => {
      callOff();
      if (code === 0 && !stopped) return resolve();
      reject(new Error(`${program} failed: ${stopped || lastLines(errors) || `exit code ${code}`}`));
    });
  });
}
