import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { channels, type Database, readSnapshot } from './database.ts';
import { migrate, migrateIfEmpty } from './migrate.ts';
import { Notifier } from './postgres/notifier.ts';
import { guardedPool } from './postgres/pool.ts';
import { TableChanges } from './postgres/table-changes.ts';
import type { Tables } from './tables.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Every bigint of the schema is a time or a counter, which a JavaScript number holds exactly. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const reconnectAfterMs = 1000;
/** A connection that only listens does not notice that the network drops its packets. */
const checkAfterMs = 10_000;
const checkTimeoutMs = 5_000;

/** Listens on a separate connection and reconnects after it is lost. */
class Listener {
  readonly signals = new EventEmitter().setMaxListeners(0);
  readonly #url: string;
  #client: pg.Client | undefined;
  isClosed = false;

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'almanac listener',
      connectionTimeoutMillis: 5_000,
      query_timeout: checkTimeoutMs,
      keepAlive: true,
    });
    this.#client = client;
    client.on('notification', (message) => this.signals.emit(message.channel, message.payload ?? ''));
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    await client.connect();
    for (const channel of channels) await client.query(`listen "${channel}"`);
    this.#checkLater(client);
  }

  #checkLater(client: pg.Client): void {
    setTimeout(() => void this.#check(client), checkAfterMs).unref();
  }

  async #check(client: pg.Client): Promise<void> {
    if (this.isClosed || this.#client !== client) return;
    try {
      await client.query('select 1');
      this.#checkLater(client);
    } catch {
      this.#reconnect(client);
      void client.end().catch(() => {});
    }
  }

  #reconnect(client: pg.Client): void {
    if (this.isClosed || this.#client !== client) return;
    this.#client = undefined;
    // The sweep of the loop finds what is missed until then.
    setTimeout(() => void this.#retry(), reconnectAfterMs).unref();
  }

  async #retry(): Promise<void> {
    if (this.isClosed) return;
    await this.connect().catch(() => {
      const failed = this.#client;
      if (!failed) return;
      this.#reconnect(failed);
      void failed.end().catch(() => {});
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#client?.end();
  }
}

const isOutage = (error: unknown): boolean => error instanceof DatabaseUnavailable;

/** After a commit: what is written is written. The sweep of the loop finds what a lost notification would have announced. */
const ignoreOutage = (listener: Listener) => (error: unknown) => {
  if (!listener.isClosed && !isOutage(error)) throw error;
};

/** A standby is read-only, too. */
async function acceptsChanges(query: Kysely<Tables>): Promise<boolean> {
  const asked = sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`;
  return (await asked.execute(query)).rows[0]?.mode === 'off';
}

const postgresDatabase = (
  query: Kysely<Tables>,
  listener: Listener,
  { changes, notifier } = { changes: new TableChanges(query), notifier: new Notifier(query) },
): Database => ({
  engine: 'postgres',
  query,
  transaction: (work) => query.transaction().execute(work),
  snapshot: (read) => readSnapshot(query, read),
  stamp: () => null,
  askStamp: (tables) => changes.stamp(tables),
  lock: async (transaction, ...names) => {
    const locking = sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`;
    await locking.execute(transaction);
  },
  lockShared: async (transaction, name) => {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(transaction);
  },
  async notify(channel, ...payloads) {
    if (payloads.length === 0) return;
    await notifier.send(payloads.map((payload) => ({ channel, payload }))).catch(ignoreOutage(listener));
  },
  listen(channel, onPayload) {
    listener.signals.on(channel, onPayload);
    return () => void listener.signals.off(channel, onPayload);
  },
  async whyNotReady() {
    await sql`select value from meta limit 1`.execute(query);
    return (await acceptsChanges(query)) ? null : 'PostgreSQL is read-only';
  },
  async close() {
    await listener.close();
    await query.destroy();
  },
});

/** A query without a response for so long is given up: the network may drop packets without closing the connection. */
const queryTimeoutMs = 10_000;

const connectPostgres = (url: string, serves: boolean): Kysely<Tables> => {
  const timeout = serves ? { query_timeout: queryTimeoutMs } : {};
  const pool = guardedPool({
    connectionString: url,
    max: 10,
    types,
    application_name: 'almanac',
    ...timeout,
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

/** A migration of a large table takes as long as it takes. */
async function migrateWithoutTimeout(url: string, serves: boolean): Promise<void> {
  const query = connectPostgres(url, false);
  try {
    await (serves ? migrate : migrateIfEmpty)(query, 'postgres');
  } finally {
    await query.destroy();
  }
}

/** `listenUrl`: past a pooler, which cannot pass notifications on, and whose connections keep the time limits that others have set. */
async function connected(url: string, serves: boolean, listenUrl = url): Promise<Database> {
  const listener = new Listener(listenUrl);
  const database = postgresDatabase(connectPostgres(url, serves), listener);
  try {
    await migrateWithoutTimeout(listenUrl, serves);
    if (serves) await listener.connect();
    return database;
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

export const openPostgres = (url: string, listenUrl?: string): Promise<Database> =>
  connected(url, true, listenUrl);

export const attachPostgres = (url: string): Promise<Database> => connected(url, false);
