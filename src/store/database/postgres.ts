import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type Channel, type Database, readSnapshot } from './database.ts';
import { migrate, migrateIfEmpty } from './migrate.ts';
import type { Tables } from './tables.ts';

/** Every bigint of the schema is a time or a counter, which a JavaScript number holds exactly. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const channels: readonly Channel[] = ['stack-due', 'stack-event'];
const reconnectAfterMs = 1000;

/** Listens on a separate connection and reconnects after it is lost. */
class Listener {
  readonly signals = new EventEmitter().setMaxListeners(0);
  readonly #url: string;
  #client: pg.Client | undefined;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'almanac listener' });
    this.#client = client;
    client.on('notification', (message) => this.signals.emit(message.channel, message.payload ?? ''));
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    await client.connect();
    for (const channel of channels) await client.query(`listen "${channel}"`);
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    // The sweep of the loop finds what is missed until then.
    setTimeout(() => void this.#retry(), reconnectAfterMs).unref();
  }

  async #retry(): Promise<void> {
    if (this.#closed) return;
    await this.connect().catch(() => {
      const failed = this.#client;
      if (failed) this.#reconnect(failed);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }
}

const postgresDatabase = (query: Kysely<Tables>, listener: Listener): Database => ({
  engine: 'postgres',
  query,
  transaction: (work) => query.transaction().execute(work),
  snapshot: (read) => readSnapshot(query, read),
  lock: async (transaction, name) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  },
  notify: async (channel, payload) => {
    await sql`select pg_notify(${channel}, ${payload})`.execute(query);
  },
  listen(channel, onPayload) {
    listener.signals.on(channel, onPayload);
    return () => void listener.signals.off(channel, onPayload);
  },
  async close() {
    await listener.close();
    await query.destroy();
  },
});

const connectPostgres = (url: string): Kysely<Tables> => {
  const pool = new pg.Pool({ connectionString: url, max: 10, types, application_name: 'almanac' });
  pool.on('error', () => {}); // an idle connection broke; the pool replaces it when it is next needed
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

async function connected(url: string, serves: boolean): Promise<Database> {
  const listener = new Listener(url);
  const database = postgresDatabase(connectPostgres(url), listener);
  try {
    await (serves ? migrate : migrateIfEmpty)(database.query);
    if (serves) await listener.connect();
    return database;
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

export const openPostgres = (url: string): Promise<Database> => connected(url, true);

export const attachPostgres = (url: string): Promise<Database> => connected(url, false);
