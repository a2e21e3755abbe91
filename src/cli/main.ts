#!/usr/bin/env node
import { fstatSync, writeSync } from 'node:fs';
import { realClock } from '../basics/clock.ts';
import { groups } from './groups.ts';
import { runAlm } from './run.ts';
import type { System } from './system.ts';

/** Whoever reads the data may have had enough: `alm stack list | head -1`. */
function lostReader(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`[alm]: error: The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

const opened: { stdout?: NodeJS.WriteStream; stderr?: NodeJS.WriteStream } = {};

/** Straight to the file: opening the stream takes a sixth as long as Node itself takes to start. */
function write(data: string | Uint8Array): void {
  let rest = typeof data === 'string' ? Buffer.from(data) : data;
  try {
    while (!opened.stdout && rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    const trouble: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    // The reader is slow, and its pipe does not wait: the stream does.
    if (trouble.code !== 'EAGAIN') lostReader(trouble);
  }
  if (rest.length > 0) system.stdout.write(rest);
}

/** Pipes and files are told apart without opening anything. */
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
  get home() {
    const { homedir, userInfo } = process.getBuiltinModule('node:os');
    return homedir() || userInfo().homedir;
  },
  // Opened only by those who use them: each costs a tenth of what a short command takes.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return (opened.stdout ??= process.stdout.on('error', lostReader));
  },
  write,
  get isSeen() {
    return mayBeTerminal() && system.stdout.isTTY;
  },
  get stderr() {
    // Whether anybody reads the words makes no difference.
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
