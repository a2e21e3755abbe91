import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../basics/clock.ts';

interface CommandOptions {
  directory?: string;
  /** Added to the agent's environment. */
  environment?: Readonly<Record<string, string>>;
  /** The user to run as. Default: the agent's user. */
  user?: { uid: number; gid: number };
  /** Written to standard input. */
  input?: string;
  timeoutSeconds?: number;
  /** Ends the program when its output is larger. Without it, the output is not read. */
  maxOutput?: { bytes: number; lines: number };
  signal?: AbortSignal | undefined;
}

const maxErrorChars = 4000;

/** The last lines of a program usually describe the error. */
const lastLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(-5)
    .join(' ');

/** Kills the program and its children: they share a process group. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

function startProgram(argv: readonly string[], options: CommandOptions) {
  const { directory, environment = {}, user, input = '', maxOutput } = options;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...variables, ...argv], {
    cwd: directory,
    stdio: ['pipe', maxOutput ? 'pipe' : 'ignore', 'pipe'],
    // A new session has no terminal, so no program can prompt for a password.
    detached: true,
    ...user,
  });
  // A program that does not read its input closes the pipe. That is not an error.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Calls `stop` with the reason on timeout or abort. Returns a function that cancels both. */
function watchLimits(clock: Clock, options: CommandOptions, stop: (reason: string) => void): () => void {
  const { timeoutSeconds = 600, signal } = options;
  const abort = () => stop('the agent is stopping');
  const cancelTimer = clock.after(timeoutSeconds * 1000, () => stop(`timed out after ${timeoutSeconds} s`));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return () => {
    cancelTimer();
    signal?.removeEventListener('abort', abort);
  };
}

/** A program was ended because it wrote more than `maxOutput`. */
export class OutputTooLarge extends Error {}

/** Calls `stop` when the output is larger than the limit. */
function countOutput(
  output: Readable | null,
  limit: NonNullable<CommandOptions['maxOutput']>,
  stop: () => void,
): void {
  let [bytes, lines] = [0, 0];
  output?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (limit.lines !== Infinity) for (const byte of chunk) if (byte === 10) lines += 1;
    if (bytes > limit.bytes || lines > limit.lines) stop();
  });
}

/** Runs a program and waits until it exits. Throws an error with its last lines. */
export function runCommand(
  clock: Clock,
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<void> {
  const [program = ''] = argv;
  return new Promise((resolve, reject) => {
    const child = startProgram(argv, options);
    let errors = '';
    let stopped: Error | null = null;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-maxErrorChars);
    });
    const stop = (error: Error) => {
      stopped ??= error;
      killGroup(child.pid);
    };
    const cancel = watchLimits(clock, options, (reason) => stop(new Error(`${program} failed: ${reason}`)));
    if (options.maxOutput)
      countOutput(child.stdout, options.maxOutput, () => stop(new OutputTooLarge(program)));
    child.on('error', (error) => {
      cancel();
      reject(new Error(`Cannot run ${program}: ${error.message}`));
    });
    child.on('close', (code) => {
      cancel();
      if (code === 0 && !stopped) return resolve();
      reject(stopped ?? new Error(`${program} failed: ${lastLines(errors) || `exit code ${code}`}`));
    });
  });
}
