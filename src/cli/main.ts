#!/usr/bin/env node
import { fstatSync, writeSync } from 'node:fs';
import { realClock } from '../basics/clock.ts';
import { groups } from './groups.ts';
import { runAlm } from './run.ts';
import type { System } from './system.ts';

/** Handles a failed write. A closed pipe is not an error: `alm stack list | head -1`. */
function onWriteError(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`[alm]: error: Cannot write the output: ${error.message}\n`);
  process.exit(1);
}

const opened: { stdout?: NodeJS.WriteStream; stderr?: NodeJS.WriteStream } = {};

/** Writes to the file descriptor: opening the stream takes a sixth of Node's own start-up time. */
function write(data: string | Uint8Array): void {
  let rest = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    while (!opened.stdout && rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    // The pipe is full and non-blocking: the stream buffers the rest.
    if (failure.code !== 'EAGAIN') onWriteError(failure);
  }
  if (rest.length > 0) system.stdout.write(rest);
}

/** Excludes pipes and files without opening the stream. */
const mayBeTerminal = (): boolean => {
  try {
    return fstatSync(1).isCharacterDevice();
  } catch {
    return false;
  }
};

const system: System = {
  argv: process.argv.slice(2),
  env: process.env,
  platform: process.platform,
  program: { node: process.execPath, script: process.argv[1] ?? '' },
  get home() {
    const { homedir, userInfo } = process.getBuiltinModule('node:os');
    return homedir() || userInfo().homedir;
  },
  // Opened on first use: each stream takes a tenth of the time of a short command.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return (opened.stdout ??= process.stdout.on('error', onWriteError));
  },
  write,
  get stdoutIsTty() {
    return mayBeTerminal() && system.stdout.isTTY;
  },
  get stderr() {
    // A closed standard error must not change the exit code.
    return (opened.stderr ??= process.stderr.on('error', () => {}));
  },
  clock: realClock,
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    return () => void process.off('SIGINT', callback);
  },
};

void runAlm(system, groups).then((code) => {
  process.exitCode = code;
});
