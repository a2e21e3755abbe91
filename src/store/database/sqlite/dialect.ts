import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';
import { nextTurn } from '../../../basics/clock.ts';
import { isAlreadyRolledBack } from './disk.ts';

/** A holder of the connection that took longer lets other requests run before the next holder. */
const longHoldMs = 5;

export interface Writes {
  /** Grows with each commit that changed something. */
  count(): number;
  /** Settles when they are on the disk. */
  flush(): Promise<void>;
  /** Throws if they would never be. */
  refuseIfFailed(): void;
}

/** Takes the write lock at the start: a transaction never fails halfway because another process wrote. */
class ImmediateDriver extends SqliteDriver {
  readonly #writes: Writes;
  #heldSince = 0;
  #writesBefore = 0;

  constructor(config: SqliteDialectConfig, writes: Writes) {
    super(config);
    this.#writes = writes;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#heldSince = performance.now();
    this.#writesBefore = this.#writes.count();
    return connection;
  }

  /**
   * Queries run on this thread: one after the other, they would keep it from everything else. Who wrote gets its result when that
   * is on the disk; the next holder does not wait for it.
   */
  override async releaseConnection(): Promise<void> {
    const stored = this.#writes.count() === this.#writesBefore ? null : this.#writes.flush();
    stored?.catch(() => {}); // thrown below, after the release
    if (performance.now() - this.#heldSince > longHoldMs) await nextTurn();
    await super.releaseConnection();
    await stored;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    const readOnly = settings?.accessMode === 'read only';
    if (!readOnly) this.#writes.refuseIfFailed();
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

export class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #writes: Writes;

  constructor(config: SqliteDialectConfig, writes: Writes) {
    super(config);
    this.#config = config;
    this.#writes = writes;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config, this.#writes);
  }
}
