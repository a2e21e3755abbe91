import { EventEmitter } from 'node:events';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';
import Connection from 'libsql';
import { nextTurn } from '../../basics/clock.ts';
import { type Database, readSnapshot } from './database.ts';
import { migrate, migrateIfEmpty } from './migrate.ts';
import { makePrivate } from './private-file.ts';
import { claimFile } from './sqlite/claim.ts';
import { guardDisk, isAlreadyRolledBack, keepPrepared, reportDisk, storageProblem } from './sqlite/disk.ts';
import { GroupCommit } from './sqlite/group-commit.ts';
import { TableVersions } from './sqlite/table-versions.ts';
import type { Tables } from './tables.ts';

/** A holder of the connection that took longer lets other requests run before the next holder. */
const longHoldMs = 5;

/** Takes the write lock at the start: a transaction never fails halfway because another process wrote. */
class ImmediateDriver extends SqliteDriver {
  #heldSince = 0;

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#heldSince = performance.now();
    return connection;
  }

  /** Queries run on this thread: one after the other, they would keep it from everything else. */
  override async releaseConnection(): Promise<void> {
    if (performance.now() - this.#heldSince > longHoldMs) await nextTurn();
    return super.releaseConnection();
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    const readOnly = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(readOnly ? 'begin' : 'begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!isAlreadyRolledBack(error)) throw error;
    }
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config);
  }
}

function connectSqlite(file: string): Connection.Database {
  makePrivate(file);
  const connection = new Connection(file);
  // FULL: an acknowledged write survives a power failure. WAL: readers and the writer do not wait for each other.
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'busy_timeout = 10000',
  ])
    connection.pragma(pragma);
  return connection;
}

const queryOn = (connection: Connection.Database, versions: TableVersions): Kysely<Tables> => {
  const counter = connection.prepare('pragma data_version').raw();
  const changedElsewhere = () => reportDisk(() => (counter.get() as [number])[0]);
  const database = keepPrepared(versions.watch(guardDisk(connection), changedElsewhere));
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database }) });
};

const sqliteDatabase = (
  query: Kysely<Tables>,
  { file, connection, versions, release }: OpenFile,
): Database => {
  const signals = new EventEmitter().setMaxListeners(0);
  const commits = new GroupCommit(query);
  return {
    engine: 'sqlite',
    query,
    transaction: (work) => commits.run(work),
    snapshot: (read) => readSnapshot(query, read),
    stamp: (tables) => versions.stamp(tables),
    lock: () => Promise.resolve(), // one writer at a time: the transaction itself is the lock
    notify: (channel, payload) => Promise.resolve(void signals.emit(channel, payload)),
    listen(channel, listener) {
      signals.on(channel, listener);
      return () => void signals.off(channel, listener);
    },
    whyNotReady() {
      // Not through `query`: it would wait for every transaction before it.
      connection.prepare('select value from meta limit 1').all();
      return storageProblem(dirname(file));
    },
    async close() {
      await query.destroy();
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

interface OpenFile {
  file: string;
  connection: Connection.Database;
  versions: TableVersions;
  /** Ends the claim on the file. */
  release: () => void;
}

async function prepared(
  { file, release }: Pick<OpenFile, 'file' | 'release'>,
  prepare: (query: Kysely<Tables>) => Promise<void>,
): Promise<Database> {
  const connection = connectSqlite(file);
  const versions = new TableVersions();
  const query = queryOn(connection, versions);
  try {
    await prepare(query);
    return sqliteDatabase(query, { file, connection, versions, release });
  } catch (cause) {
    await query.destroy();
    release();
    throw cause;
  }
}

export function openSqlite(file: string): Promise<Database> {
  const release = claimFile(
    file,
    `Another Almanac server is using ${file}. Stop it first, or use PostgreSQL (DATABASE_URL) for several servers.`,
  );
  const prepare = async (query: Kysely<Tables>) => {
    await migrate(query);
    await endLeases(query);
  };
  return prepared({ file, release }, prepare);
}

export const attachSqlite = (file: string): Promise<Database> =>
  prepared({ file, release: () => {} }, migrateIfEmpty);
