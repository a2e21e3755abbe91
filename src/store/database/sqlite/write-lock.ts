import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Connection from 'libsql';
import { DatabaseUnavailable } from '../unavailable.ts';
import { codeOf } from './disk.ts';

const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Statements that succeed only with the lock. */
const writes = /^\s*(begin immediate|insert|update|delete)\b/i;

const lockedBy = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable('The database is locked by another process', {
    description:
      'A backup is being restored, or another command of the operator runs. Try again in a few seconds.',
    retryAfter: 5,
    cause,
  });

/**
 * SQLite has one writer; another process may be it for long. A write waits for it on the only thread: the first one for a
 * moment, those after it not at all until one succeeds.
 */
export class WriteLock {
  readonly #connection: Connection.Database;
  #waitMs = 0;
  #isTaken = false;

  constructor(connection: Connection.Database) {
    this.#connection = connection;
  }

  /** How long a write waits for another process. */
  waitFor(ms: number): void {
    this.#waitMs = ms;
    this.#isTaken = false;
    this.#wait(ms);
  }

  /** The same connection, with the lock of another process reported as an outage. */
  guard(connection: SqliteDatabase): SqliteDatabase {
    return {
      close: () => connection.close(),
      prepare: (text) => this.#guarded(connection.prepare(text), writes.test(text)),
    };
  }

  /** Why writes would fail now; null if they would not. */
  problem(): string | null {
    if (!this.#isTaken || this.#hasLock()) return null;
    return 'The database is locked by another process';
  }

  #guarded(statement: SqliteStatement, isWrite: boolean): SqliteStatement {
    const run = <T>(work: () => T): T => this.#note(work, isWrite);
    return {
      reader: statement.reader,
      all: (parameters) => run(() => statement.all(parameters)),
      run: (parameters) => run(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
  }

  #note<T>(work: () => T, isWrite: boolean): T {
    try {
      const result = work();
      if (isWrite && this.#isTaken) this.#set(false);
      return result;
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.#set(true);
      throw lockedBy(error);
    }
  }

  /** Takes it for a moment, unless a transaction runs, which may only read. */
  #hasLock(): boolean {
    if (this.#connection.inTransaction) return false;
    try {
      this.#connection.exec('begin immediate');
      this.#connection.exec('rollback');
    } catch {
      return false;
    }
    this.#set(false);
    return true;
  }

  #set(isTaken: boolean): void {
    if (isTaken !== this.#isTaken) this.#wait(isTaken ? 0 : this.#waitMs);
    this.#isTaken = isTaken;
  }

  #wait(ms: number): void {
    this.#connection.pragma(`busy_timeout = ${ms}`);
  }
}
