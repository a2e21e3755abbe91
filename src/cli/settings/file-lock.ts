import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';

const retryIntervalMs = 20;
/** A lock this old was left by a process that died: it is held only for a read and a write. */
const maxAgeMs = 5_000;

/** Creating a directory is atomic. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    // If it cannot be created for another reason, the work itself fails with a better message.
    return true;
  }
}

const isAbandoned = (clock: Clock, lock: string): boolean => {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && clock.now() - stats.mtimeMs > maxAgeMs;
};

/** Runs the work while no other process holds the lock of the file. */
export async function withFileLock<T>(clock: Clock, path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = clock.now() + 2 * maxAgeMs;
  while (!tryLock(lock)) {
    // The clock of a network file system may be ahead of ours, so the age alone is not enough.
    if (isAbandoned(clock, lock) || clock.now() > deadline) rmSync(lock, { recursive: true, force: true });
    else await pause(clock, retryIntervalMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
