import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The controllers of memory of both versions of control groups, and their files for a limit. */
const versions = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
] as const;

export interface ControlGroup {
  /** Settings with which a process of Node enters the group before it does anything else. */
  settings: Readonly<Record<string, string>>;
  remove(): void;
}

const makeIn = ({ root, limit }: (typeof versions)[number], megabytes: number): ControlGroup | null => {
  const directory = `${root}/almanac-test-${process.pid}`;
  const remove = () => rmdirSync(directory);
  try {
    mkdirSync(directory);
  } catch {
    return null;
  }
  try {
    writeFileSync(`${directory}/${limit}`, String(megabytes * 1024 * 1024));
  } catch {
    remove();
    return null;
  }
  const program = join(mkdtempSync(join(tmpdir(), 'almanac-group-')), 'enter.cjs');
  // "0" stands for the process that writes it.
  writeFileSync(program, `require('node:fs').writeFileSync('${directory}/cgroup.procs', '0');`);
  return {
    settings: { NODE_OPTIONS: `--require=${program}` },
    remove: () => {
      remove();
      rmSync(dirname(program), { recursive: true });
    },
  };
};

/** Null: not as this user, or not on this machine. */
export const makeControlGroup = (megabytes: number): ControlGroup | null => {
  for (const version of versions) {
    const group = makeIn(version, megabytes);
    if (group) return group;
  }
  return null;
};
