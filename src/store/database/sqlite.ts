import { EventEmitter } from 'node:events';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import Connection from 'libsql';
import { type Database, readSnapshot } from './database.ts';
import { migrate, migrateIfEmpty } from './migrate.ts';
import { makePrivate } from './private-file.ts';
import { claimFile } from './sqlite/claim.ts';
import { alwaysMoved, type CommitMark, commitMarkOf } from './sqlite/commit-mark.ts';
import { ImmediateDialect } from './sqlite/dialect.ts';
import { guardDisk, keepPrepared, reportDisk, storageProblem } from './sqlite/disk.ts';
import { type CloseMode, emptyLog } from './sqlite/empty-log.ts';
import { GroupCommit } from './sqlite/group-commit.ts';
import { readRaw } from './sqlite/raw-rows.ts';
import { TableVersions } from './sqlite/table-versions.ts';
import { type WalFile, WalSync, walFileOf } from './sqlite/wal-sync.ts';
import { WriteLock } from './sqlite/write-lock.ts';
import type { Tables } from './tables.ts';

/** Where SQLite cannot use a log it syncs by itself. */
const noWal: WalFile = { sync: () => Promise.resolve(), close: () => Promise.resolve() };

function connectSqlite({ file, openWal }: Place): Omit<OpenFile, keyof Place | 'versions'> {
  makePrivate(file);
  const connection = new Connection(file);
  // WAL: readers and the writer do not wait for each other.
  const [mode] = connection.prepare('pragma journal_mode = WAL').raw().get() as [string];
  const hasWal = mode === 'wal';
  // NORMAL: SQLite syncs at checkpoints, and `WalSync` after each commit.
  for (const pragma of [
    `synchronous = ${hasWal ? 'NORMAL' : 'FULL'}`,
    'foreign_keys = ON',
    // In pages, four times the default: what is changed often is copied and synced less often, in this thread.
    'wal_autocheckpoint = 4000',
  ])
    connection.pragma(pragma);
  // Single statements, too: what cannot be acknowledged must not happen.
  const refuseWrites = () => void connection.pragma('query_only = ON');
  return {
    connection,
    lock: new WriteLock(connection),
    wal: new WalSync(hasWal ? openWal(file) : noWal, refuseWrites),
    mark: hasWal ? commitMarkOf(file) : alwaysMoved,
  };
}

/** Asks SQLite for its count of changes by other processes only if there was a commit at all. */
function changesElsewhere({ connection, mark }: Pick<OpenFile, 'connection' | 'mark'>): () => number {
  const counter = connection.prepare('pragma data_version').raw();
  let known = 0;
  return () => {
    if (!mark.hasMoved()) return known;
    known = reportDisk(() => (counter.get() as [number])[0]);
    // In a transaction, the count is the one of its beginning.
    if (!connection.inTransaction) mark.settle();
    return known;
  };
}

const queryOn = (opened: Omit<OpenFile, keyof Place>): Kysely<Tables> => {
  const { connection, lock, versions, wal } = opened;
  const guarded = lock.guard(guardDisk(readRaw(connection)));
  const database = keepPrepared(versions.watch(guarded, changesElsewhere(opened)));
  const writes = {
    count: () => versions.total,
    flush: () => wal.flush(),
    refuseIfFailed: () => wal.refuseIfFailed(),
  };
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database }, writes) });
};

const sqliteDatabase = (
  query: Kysely<Tables>,
  { file, connection, lock, versions, wal, release, onClose }: OpenFile,
): Database => {
  const signals = new EventEmitter().setMaxListeners(0);
  const commits = new GroupCommit(query);
  return {
    engine: 'sqlite',
    query,
    transaction: (work) => commits.run(work),
    snapshot: (read) => readSnapshot(query, read),
    stamp: (tables) => versions.stamp(tables),
    askStamp: (tables) => Promise.resolve(versions.stamp(tables)),
    lock: () => Promise.resolve(), // one writer at a time: the transaction itself is the lock
    lockShared: () => Promise.resolve(),
    notify(channel, ...payloads) {
      for (const payload of payloads) signals.emit(channel, payload);
      return Promise.resolve();
    },
    listen(channel, listener) {
      signals.on(channel, listener);
      return () => void signals.off(channel, listener);
    },
    whyNotReady() {
      // Not through `query`: it would wait for every transaction before it.
      connection.prepare('select value from meta limit 1').all();
      const problem = wal.problem ?? lock.problem();
      return problem === null ? storageProblem(dirname(file)) : Promise.resolve(problem);
    },
    async close() {
      await query.destroy();
      await wal.close();
      emptyLog(file, onClose);
      release();
    },
  };
};

/** No other server uses this file: remaining leases belong to a killed process and need not expire first. */
const endLeases = async (query: Kysely<Tables>): Promise<void> => {
  await query
    .updateTable('stacks')
    .set({ lease_until: 0, lease_owner: '' })
    .where('lease_owner', '!=', '')
    .execute();
};

interface Place {
  file: string;
  openWal: (file: string) => WalFile;
  /** Ends the claim on the file. */
  release: () => void;
  /** How long a write waits for the writes of another process. */
  lockWaitMs: number;
  onClose: CloseMode;
}

interface OpenFile extends Place {
  connection: Connection.Database;
  lock: WriteLock;
  versions: TableVersions;
  wal: WalSync;
  mark: CommitMark;
}

async function prepared(place: Place, prepare: (query: Kysely<Tables>) => Promise<void>): Promise<Database> {
  const opened = { ...place, ...connectSqlite(place), versions: new TableVersions() };
  const query = queryOn(opened);
  try {
    opened.lock.waitFor(patientMs);
    await prepare(query);
    opened.lock.waitFor(place.lockWaitMs);
    return sqliteDatabase(query, opened);
  } catch (cause) {
    await query.destroy();
    await opened.wal.close();
    place.release();
    throw cause;
  }
}

/** Before it serves, and in a command of the operator. */
const patientMs = 10_000;
/** A server waits on its only thread. */
const serving = { lockWaitMs: 500, onClose: 'truncate' } as const;
const beside = { lockWaitMs: patientMs, onClose: 'copy', release: () => {} } as const;

export function openSqlite(file: string, openWal = walFileOf): Promise<Database> {
  const release = claimFile(
    file,
    `Another Almanac server is using ${file}. Stop it first, or use PostgreSQL (DATABASE_URL) for several servers.`,
  );
  const prepare = async (query: Kysely<Tables>) => {
    await migrate(query, 'sqlite');
    await endLeases(query);
  };
  return prepared({ file, openWal, release, ...serving }, prepare);
}

export const attachSqlite = (file: string): Promise<Database> =>
  prepared({ file, openWal: walFileOf, ...beside }, (query) => migrateIfEmpty(query, 'sqlite'));
