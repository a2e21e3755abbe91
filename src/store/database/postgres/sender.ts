import type pg from 'pg';
import { type Statement, sendTogether } from './batch.ts';
import { isOutdated, type StatementNames } from './prepared.ts';

const begins = /^\s*(begin|start transaction)\b/i;
const ends = /^\s*(commit|rollback)\b(?! to)/i;
const undoes = /^\s*rollback\b/i;
/** Nobody waits for what these give back. An insertion that may do nothing gives back whether it did. */
const givesNothing = /^(insert into (?!.*\b(returning|do nothing)\b)|select pg_advisory_xact_lock)/is;

/** Values whose conversion cannot fail. */
const isPlain = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || Buffer.isBuffer(value) || isTextList(value);
const isTextList = (value: object): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const nothing = () => ({ command: '', rowCount: 0, rows: [] });

const locks = /^select pg_advisory_xact_lock/i;
/** So that those of a large restore do not fill the memory. */
const maxWaiting = 50;

/** Sends the statements of one connection. */
export interface Sender {
  query(text: string, values: unknown[]): Promise<unknown>;
  /** Another connection can name its statements again. */
  readonly isOutdated: boolean;
}

/** Each statement on its own: a pooler gives each transaction to another connection of PostgreSQL. */
export const plainSender = (client: pg.PoolClient): Sender => ({
  query: (text, values) => client.query(text, values),
  isOutdated: false,
});

/**
 * Sends frequent statements by name, so that PostgreSQL plans them once for each connection. In a transaction, a statement that gives
 * nothing back waits for the next one and travels with it: it fails there, at the latest when the transaction commits.
 */
export class NamingSender implements Sender {
  readonly #client: pg.PoolClient;
  readonly #timeoutMs: number | undefined;
  #names: StatementNames | null;
  /** Those that PostgreSQL knows. */
  readonly #named = new Set<string>();
  isOutdated = false;
  #isInTransaction = false;
  #waiting: Statement[] = [];
  /** Whether PostgreSQL knows of the transaction. */
  #isBegun = false;

  constructor(
    client: pg.PoolClient,
    { names, timeoutMs }: { names: StatementNames; timeoutMs: number | undefined },
  ) {
    this.#client = client;
    this.#names = names;
    this.#timeoutMs = timeoutMs;
  }

  async query(text: string, values: unknown[]): Promise<unknown> {
    if (begins.test(text)) return this.#begin(text);
    if (ends.test(text)) return this.#end(text);
    const statement = { name: this.#names?.nameOf(text), text, values };
    if (this.#isInTransaction && this.#canWait(statement)) {
      this.#waiting.push(statement);
      return nothing();
    }
    return this.#send(statement);
  }

  #begin(text: string): unknown {
    this.#isInTransaction = true;
    this.#isBegun = false;
    this.#waiting = [{ text, values: [] }];
    return nothing();
  }

  /** A statement that is named for the first time is not among those that wait: it may fail before PostgreSQL knows its name. */
  #canWait({ name, text, values }: Statement): boolean {
    if (!givesNothing.test(text) || this.#waiting.length >= maxWaiting) return false;
    if (locks.test(text) && this.#waitsForLock()) return false;
    return (name === undefined || this.#named.has(name)) && values.every(isPlain);
  }

  #waitsForLock(): boolean {
    return this.#waiting.some(({ text }) => locks.test(text));
  }

  async #end(text: string): Promise<unknown> {
    if (undoes.test(text)) this.#waiting = [];
    const isKnown = this.#isBegun || this.#waiting.length > 1; // more than its beginning
    this.#isInTransaction = false;
    if (isKnown) return this.#send({ text, values: [] }, true);
    this.#waiting = [];
    return nothing();
  }

  /** With all that wait. PostgreSQL limits the time of each statement; a lock and the last one may both need all of it. */
  #transfer(statement: Statement): Promise<unknown> {
    const timeoutMs = this.#timeoutMs && this.#timeoutMs * (this.#waitsForLock() ? 2 : 1);
    const earlier = this.#waiting;
    this.#waiting = [];
    this.#isBegun = true;
    if (earlier.length > 0) return sendTogether(this.#client, { earlier, last: statement, timeoutMs });
    const { name, text, values } = statement;
    return name === undefined ? this.#client.query(text, values) : this.#client.query({ name, text, values });
  }

  async #send(statement: Statement, isInTransaction = this.#isInTransaction): Promise<unknown> {
    try {
      const result = await this.#transfer(statement);
      if (statement.name !== undefined) this.#named.add(statement.name);
      return result;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names = null;
      this.isOutdated = true;
      // PostgreSQL has given up the transaction.
      if (isInTransaction)
        throw new Error('Connection terminated: its statements are outdated', { cause: error });
      return this.#client.query(statement.text, statement.values);
    }
  }
}
