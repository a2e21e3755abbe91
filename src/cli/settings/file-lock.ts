import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../basics/clock.ts';
import { pause } from '../../basics/pause.ts';

const betweenTriesMs = 20;
/** Whoever holds it this long has died: it is held for the time of a read and a write. */
const longestMs = 5_000;

/** A directory can be made by one alone. */
function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    // Where none can be made, the work itself says what is wrong.
    return true;
  }
}

const isAbandoned = (clock: Clock, lock: string): boolean => {
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && clock.now() - made.mtimeMs > longestMs;
};

/** Does it while no other process does it to the same file. */
export async function whileLocked<T>(clock: Clock, path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const patienceEnds = clock.now() + 2 * longestMs;
  while (!tryLock(lock)) {
    // The clock of a shared disk may be ahead of ours: nobody is waited for without end.
    if (isAbandoned(clock, lock) || clock.now() > patienceEnds)
      rmSync(lock, { recursive: true, force: true });
    else await pause(clock, betweenTriesMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
