import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** What the store's functions take: the database itself, or a transaction on it. */
export type Query = Kysely<Tables>;

/** Said when something is due: a stack's id on `stack-due`, a stack's id on `stack-event`. */
export type Channel = 'stack-due' | 'stack-event';

/** Where everything is kept. Two engines serve it: SQLite for one server, PostgreSQL for many. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly query: Query;
  /** All of it, or nothing. Keep it short: the embedded engine has one writer. */
  transaction<T>(work: (transaction: Query) => Promise<T>): Promise<T>;
  /** Reads as of one moment, holding nobody up. */
  snapshot<T>(read: (transaction: Query) => Promise<T>): Promise<T>;
  /** Holds others who ask for the same name until the transaction ends. */
  lock(transaction: Query, name: string): Promise<void>;
  /** Tells every server on this database. A hint, never a promise: whoever misses it finds the row. */
  notify(channel: Channel, payload: string): Promise<void>;
  listen(channel: Channel, heard: (payload: string) => void): () => void;
  close(): Promise<void>;
}

const sqliteFile = (url: string): string | null =>
  url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;

function refuseUnknownEngine(url: string): void {
  if (sqliteFile(url) !== null || /^postgres(ql)?:/.test(url)) return;
  throw new Error(`DATABASE_URL must start with postgres:// or sqlite:, not ${url.split(':')[0]}:`);
}

/** Opens by URL, `sqlite:<file>` or `postgres://…`, to serve from it. The driver of the other engine is not even loaded. */
export async function openDatabase(url: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).openPostgres(url)
    : (await import('./sqlite.ts')).openSqlite(file);
}

/** For commands beside a running server: an embedded file is not claimed. The schema is brought up to date all the same. */
export async function attachDatabase(url: string): Promise<Database> {
  refuseUnknownEngine(url);
  const file = sqliteFile(url);
  return file === null
    ? (await import('./postgres.ts')).attachPostgres(url)
    : (await import('./sqlite.ts')).attachSqlite(file);
}

export const readSnapshot = <T>(query: Query, read: (transaction: Query) => Promise<T>): Promise<T> =>
  query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
