import { statfs } from 'node:fs/promises';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DatabaseUnavailable } from '../unavailable.ts';

/** The disk is full, cannot be read or written, or became read-only. */
const diskErrors = /^SQLITE_(FULL|IOERR|READONLY)/;

/** With less than this, the next write may fail. */
const minFreeBytes = 1024 * 1024;

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Disk errors are `unavailable`: the request may succeed when there is space again. */
export function reportDisk<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!diskErrors.test(codeOf(error))) throw error;
    throw new DatabaseUnavailable('The server cannot write to its disk', {
      description: 'Its disk is full or read-only. Nothing was changed. Free some space and try again.',
      retryAfter: 30,
      cause: error,
    });
  }
}

const guardStatement = (statement: SqliteStatement): SqliteStatement => ({
  reader: statement.reader,
  all: (parameters) => reportDisk(() => statement.all(parameters)),
  run: (parameters) => reportDisk(() => statement.run(parameters)),
  iterate: (parameters) => statement.iterate(parameters),
});

/** The same connection, with disk errors reported as what they are. */
export const guardDisk = (connection: SqliteDatabase): SqliteDatabase => ({
  close: () => connection.close(),
  prepare: (text) => guardStatement(connection.prepare(text)),
});

/** More than the texts of all queries of the program, which are few: values are parameters. */
const maxPrepared = 500;

/** Afterwards, the columns of other statements may be others. */
const changesSchema = /^\s*(create|alter|drop)\b/i;

/** The same connection, with statements prepared once: preparing one takes longer than most take to run. */
export function keepPrepared(connection: SqliteDatabase): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    const statement = connection.prepare(text);
    if (changesSchema.test(text)) {
      prepared.clear();
      return statement;
    }
    // One that is read step by step must not be started again before its end.
    const kept = {
      ...statement,
      iterate: (parameters: readonly unknown[]) => connection.prepare(text).iterate(parameters),
    };
    const [oldest] = prepared.keys();
    if (prepared.size >= maxPrepared && oldest !== undefined) prepared.delete(oldest);
    prepared.set(text, kept);
    return kept;
  };
  return { close: () => connection.close(), prepare: (text) => prepared.get(text) ?? prepare(text) };
}

/** SQLite rolls back by itself when the disk is full; then there is no transaction left to roll back. */
export const isAlreadyRolledBack = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('no transaction is active');

/** Why writes would fail now; null if they would not. */
export async function storageProblem(directory: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < minFreeBytes ? 'The disk of the data directory is full' : null;
}
