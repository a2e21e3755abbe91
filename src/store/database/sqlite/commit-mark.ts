import { existsSync, openSync, readSync } from 'node:fs';

/** Tells cheaply whether anything was committed, by whichever process. */
export interface CommitMark {
  /** Whether something may have been committed since the last time that was settled. */
  hasMoved(): boolean;
  /** What `hasMoved` saw last is taken into account: it has not moved any more. */
  settle(): void;
}

/** Where nobody can say, everything may have changed. */
export const alwaysMoved: CommitMark = { hasMoved: () => true, settle: () => {} };

/** Of the header of the shared index of the log, which SQLite itself compares to find out the same. */
const headerBytes = 48;

const openIfThere = (file: string): number | null => (existsSync(file) ? openSync(file, 'r') : null);

/**
 * Reads the file without a lock: a header that is half written differs from the one before, too. SQLite makes the file with the
 * first statement. The handle is never closed: closing any handle of a file ends all locks that the process has on it, and SQLite
 * may keep its connection until the process ends.
 */
export function commitMarkOf(file: string): CommitMark {
  let handle: number | null = null;
  let isReadable = false;
  let [known, read] = [Buffer.alloc(headerBytes), Buffer.alloc(headerBytes)];
  return {
    hasMoved() {
      handle ??= openIfThere(`${file}-shm`);
      const isWhole = handle !== null && readSync(handle, read, 0, headerBytes, 0) === headerBytes;
      isReadable = isWhole;
      return !isWhole || !read.equals(known);
    },
    settle() {
      if (isReadable) [known, read] = [read, known];
    },
  };
}
