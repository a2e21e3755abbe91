import Connection from 'libsql';

/** `truncate` waits for others and makes them wait; `copy` does neither, and copies what it can. */
export type CloseMode = 'truncate' | 'copy';

/** A stop must not wait for long: a reader, such as a backup, may keep the log in use. */
const waitMs = 1_000;

/**
 * Moves everything from the write-ahead log to the file, so that a copy of the file alone is complete. Uses a connection of its
 * own: statements that were read only in part keep the log of theirs in use, even after it is closed.
 */
export function emptyLog(file: string, mode: CloseMode): void {
  const connection = new Connection(file);
  try {
    connection.pragma(`busy_timeout = ${waitMs}`);
    connection.pragma(`wal_checkpoint(${mode === 'truncate' ? 'TRUNCATE' : 'PASSIVE'})`);
  } catch {
    // The disk is full or failed. What is in the log stays there, and the next start reads it.
  } finally {
    connection.close();
  }
}
