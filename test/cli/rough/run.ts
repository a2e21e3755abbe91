import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Ended } from '../../e2e/almanac-process.ts';
import { type AlmUser, almProgram } from '../alm.ts';

export interface Running {
  child: ChildProcess;
  /** So far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export interface Limits {
  env?: Readonly<Record<string, string>>;
  /** Timeout after which it is killed; its exit code is null then. */
  seconds?: number;
  stdio?: StdioOptions;
}

/** Starts `alm`, which may not exit by itself. Standard input stays open until the test closes it. */
export function startAlm(
  user: AlmUser,
  args: readonly string[],
  { env = {}, seconds = 10, stdio = 'pipe' }: Limits = {},
): Running {
  const child = spawn(process.execPath, [almProgram, ...args], {
    env: { ...user.environment, ...env },
    cwd: user.home,
    stdio,
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin?.on('error', () => {});
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs `alm` without standard input. */
export const runBriefly = (user: AlmUser, args: readonly string[], limits: Limits = {}): Promise<Ended> =>
  startAlm(user, args, { stdio: ['ignore', 'pipe', 'pipe'], ...limits }).ended;
