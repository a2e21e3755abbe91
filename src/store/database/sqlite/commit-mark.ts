import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Tells cheaply whether anything was committed, by whichever process. */
export interface CommitMark {
  /** Whether something may have been committed since the last call. */
  hasMoved(): boolean;
  close(): void;
}

/** Where nobody can say, everything may have changed. */
export const alwaysMoved: CommitMark = { hasMoved: () => true, close: () => {} };

/** Of the header of the shared index of the log, which SQLite itself compares to find out the same. */
const headerBytes = 48;

const openIfThere = (file: string): number | null => (existsSync(file) ? openSync(file, 'r') : null);

/**
 * Reads the file without a lock: a header that is half written differs from the one before, too. SQLite makes the file with the
 * first statement. Must be closed after the connection, and only while the process has no other one to the same database: closing any
 * handle of a file ends all locks that the process has on it.
 */
export function commitMarkOf(file: string): CommitMark {
  let handle: number | null = null;
  let [known, read] = [Buffer.alloc(headerBytes), Buffer.alloc(headerBytes)];
  return {
    hasMoved() {
      handle ??= openIfThere(`${file}-shm`);
      const isWhole = handle !== null && readSync(handle, read, 0, headerBytes, 0) === headerBytes;
      if (isWhole && read.equals(known)) return false;
      [known, read] = [read, known];
      return true;
    },
    close() {
      if (handle !== null) closeSync(handle);
    },
  };
}
