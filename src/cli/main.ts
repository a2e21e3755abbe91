#!/usr/bin/env node
import { homedir } from 'node:os';
import { realClock } from '../basics/clock.ts';
import { groups } from './groups.ts';
import { runAlm } from './run.ts';
import type { System } from './system.ts';

const system: System = {
  argv: process.argv.slice(2),
  env: process.env,
  home: homedir(),
  platform: process.platform,
  // Opened only by those who read it: a getter, because opening a terminal costs time.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  clock: realClock,
  onInterrupt: (callback) => {
    process.on('SIGINT', callback);
    return () => void process.off('SIGINT', callback);
  },
};

// Whoever reads the data may have had enough: `alm stack list | head -1`. Whether anybody reads the words makes no difference.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.stderr.on('error', () => {});

void runAlm(system, groups).then((code) => {
  process.exitCode = code;
});
