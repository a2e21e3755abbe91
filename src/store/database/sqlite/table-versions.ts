import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { Tables } from '../tables.ts';

export type TableName = keyof Tables;

/** Statements that change no row. */
const reads = /^\s*(select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i;
/** An inserted or updated row changes no other table; a deleted one may take rows of other tables with it. */
const changesOne = /^\s*(?:insert into|update)\s+"(\w+)"(?!\.)/i;

/** Says how many rows it changed. Most looks for due stacks find none. */
const changesRows = /^\s*(insert|update|delete)\b/i;

/**
 * Asks once for everything that one event sets off, such as the arrival of a request: what others wrote before the event is seen.
 * The queue of `nextTick` is worked off after all promises that the event settles.
 */
const askedOnce = (ask: () => number): (() => number) => {
  let known: number | null = null;
  return () => {
    if (known !== null) return known;
    known = ask();
    queueMicrotask(() =>
      process.nextTick(() => {
        known = null;
      }),
    );
    return known;
  };
};

type Change = TableName | 'all' | null;

const changeOf = (text: string): Change =>
  reads.test(text) ? null : ((changesOne.exec(text)?.[1] as TableName | undefined) ?? 'all');

/**
 * Counts the committed changes of each table, so that what was read earlier can be recognized as still true. Counts the changes
 * of this connection; other processes are noticed by SQLite's own counter.
 */
export class TableVersions {
  readonly #counts = new Map<Change, number>();
  /** Changes of the transaction that runs; null outside of one. */
  #open: Set<Change> | null = null;
  #changedElsewhere: () => number = () => 0;
  #total = 0;

  /** Changes of this connection that are committed, of all tables. */
  get total(): number {
    return this.#total;
  }

  /** The same connection, watched. `changedElsewhere` counts the changes by others. */
  watch(connection: SqliteDatabase, changedElsewhere: () => number): SqliteDatabase {
    this.#changedElsewhere = askedOnce(changedElsewhere);
    return {
      close: () => connection.close(),
      prepare: (text) => this.#watched(connection.prepare(text), text),
    };
  }

  /** Differs from an earlier stamp if one of the tables may have changed since. */
  stamp(tables: readonly TableName[]): number {
    let sum = (this.#counts.get('all') ?? 0) + this.#changedElsewhere();
    for (const table of tables) sum += this.#counts.get(table) ?? 0;
    return sum;
  }

  #watched(statement: SqliteStatement, text: string): SqliteStatement {
    if (/^\s*begin\b/i.test(text)) return after(statement, () => this.#begin());
    if (/^\s*(commit|rollback)\b(?! to)/i.test(text)) return anyway(statement, () => this.#end());
    const change = changeOf(text);
    if (change === null) return statement;
    const act = () => (this.#open ? void this.#open.add(change) : this.#count(change));
    const watched = <T>(run: () => T, hasChanged: (result: T) => boolean): T => {
      let changed = true; // if it fails: a change that is counted too often does no harm
      try {
        const result = run();
        changed = hasChanged(result);
        return result;
      } finally {
        if (changed) act();
      }
    };
    const isRow = changesRows.test(text);
    return {
      reader: statement.reader,
      // Only statements that return the rows they changed.
      all: (parameters) =>
        watched(
          () => statement.all(parameters),
          (rows) => !isRow || rows.length > 0,
        ),
      run: (parameters) =>
        watched(
          () => statement.run(parameters),
          ({ changes }) => !isRow || changes > 0,
        ),
      iterate: (parameters) =>
        watched(
          () => statement.iterate(parameters),
          () => true,
        ),
    };
  }

  #begin(): void {
    this.#end();
    this.#open = new Set();
  }

  #end(): void {
    for (const change of this.#open ?? []) this.#count(change);
    this.#open = null;
  }

  #count(change: Change): void {
    this.#total += 1;
    this.#counts.set(change, (this.#counts.get(change) ?? 0) + 1);
  }
}

/** Only if it succeeds: after a transaction that did not begin, changes count at once. */
const after = (statement: SqliteStatement, act: () => void): SqliteStatement => ({
  ...statement,
  all: (parameters) => {
    const rows = statement.all(parameters);
    act();
    return rows;
  },
  run: (parameters) => {
    const result = statement.run(parameters);
    act();
    return result;
  },
});

/** Whether it succeeds or not. */
const anyway = (statement: SqliteStatement, act: () => void): SqliteStatement => {
  const acting = <T>(run: () => T): T => {
    try {
      return run();
    } finally {
      act();
    }
  };
  return {
    ...statement,
    all: (parameters) => acting(() => statement.all(parameters)),
    run: (parameters) => acting(() => statement.run(parameters)),
  };
};
