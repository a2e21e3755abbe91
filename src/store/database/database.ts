import type { Kysely } from 'kysely';
import type { CountedTable } from './postgres/table-changes.ts';
import type { TableName } from './sqlite/table-versions.ts';
import type { Tables } from './tables.ts';

/** The database or a transaction on it. */
export type Query = Kysely<Tables>;

/** The payload of `stack-…` is the id of a stack. Logs are only in notifications: they are never stored. */
export const channels = ['stack-due', 'stack-event', 'log-request', 'log-lines'] as const;
export type Channel = (typeof channels)[number];

/** PostgreSQL refuses longer payloads. */
export const maxPayloadBytes = 7999;

/** SQLite for one server, PostgreSQL for many. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  readonly query: Query;
  /** Keep it short: SQLite has one writer. */
  transaction<T>(work: (transaction: Query) => Promise<T>): Promise<T>;
  /** Reads a consistent snapshot without blocking writers. */
  snapshot<T>(read: (transaction: Query) => Promise<T>): Promise<T>;
  /** Differs from an earlier stamp if one of the tables may have changed since; null if that cannot be known without asking. */
  stamp(tables: readonly TableName[]): number | null;
  /** The same, asked for if need be: as it is after the question, whichever server changed something. It only grows. */
  askStamp(tables: readonly CountedTable[]): Promise<number>;
  /**
   * Named locks, held from the next statement of the transaction until it ends, taken in the order given: sort several, or two servers
   * wait for each other.
   */
  lock(transaction: Query, ...names: string[]): Promise<void>;
  /** Any number of transactions hold it at the same time, but none while one has taken `lock` of the name. */
  lockShared(transaction: Query, name: string): Promise<void>;
  /** Notifies every server on this database. Delivery is not guaranteed; the rows are the truth. */
  notify(channel: Channel, ...payloads: string[]): Promise<void>;
  listen(channel: Channel, listener: (payload: string) => void): () => void;
  /** Why requests would fail now, as far as that can be known; null if they would not. Throws if reads fail. */
  whyNotReady(): Promise<string | null>;
  close(): Promise<void>;
}

export const readSnapshot = <T>(query: Query, read: (transaction: Query) => Promise<T>): Promise<T> =>
  query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
