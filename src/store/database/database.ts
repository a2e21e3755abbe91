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

export const readSnapshot = <T>(query: Query, read: (transaction: Query) => Promise<T>): Promise<T> =>
  query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
