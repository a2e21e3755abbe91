import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Connection from 'libsql';

type Row = Record<string, unknown>;

function rowOf(names: readonly string[], values: readonly unknown[]): Row {
  const row: Row = {};
  for (let column = 0; column < names.length; column += 1) row[names[column] as string] = values[column];
  return row;
}

function* rowsOf(names: readonly string[], found: Iterable<unknown>): Generator<Row> {
  for (const values of found) yield rowOf(names, values as readonly unknown[]);
}

function rawStatement(statement: Connection.Statement): SqliteStatement {
  const { reader } = statement;
  const names = reader
    ? statement
        .raw()
        .columns()
        .map(({ name }) => name)
    : [];
  return {
    reader,
    run: (parameters) => statement.run(parameters),
    all: (parameters) => statement.all(parameters).map((values) => rowOf(names, values as unknown[])),
    iterate: (parameters) => rowsOf(names, statement.iterate(parameters)),
  };
}

/**
 * The same connection, which reads rows as lists of values: the native code takes twice as long to make objects of them. The
 * names of the columns are asked for once: prepare a statement again after a change of the schema.
 */
export const readRaw = (connection: Connection.Database): SqliteDatabase => ({
  close: () => void connection.close(),
  prepare: (text) => rawStatement(connection.prepare(text)),
});
