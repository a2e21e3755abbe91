import { CompiledQuery, type Insertable, sql } from 'kysely';
import type { Query } from '../database.ts';
import type { Tables } from '../tables.ts';
import { inBinaryParts } from './binary-parts.ts';

type Column<Table extends keyof Tables> = keyof Insertable<Tables[Table]> & string;

/**
 * Inserts many rows with statements whose texts are made once: for hundreds of values, building the text takes longer than
 * running it. `keys`: a row that exists gets the values of the new one.
 */
export class RowInserter<Table extends keyof Tables> {
  readonly #table: Table;
  readonly #columns: readonly Column<Table>[];
  readonly #keys: readonly Column<Table>[];
  readonly #texts = new WeakMap<object, Map<number, string>>();

  constructor(table: Table, columns: readonly Column<Table>[], keys: readonly Column<Table>[] = []) {
    this.#table = table;
    this.#columns = columns;
    this.#keys = keys;
  }

  async insert(query: Query, rows: readonly Insertable<Tables[Table]>[]): Promise<void> {
    for (const part of inBinaryParts(rows)) await this.#run(query, part);
  }

  async #run(query: Query, rows: readonly Insertable<Tables[Table]>[]): Promise<void> {
    const values: unknown[] = [];
    for (const row of rows) for (const column of this.#columns) values.push(row[column] ?? null);
    await query.executeQuery(CompiledQuery.raw(this.#textFor(query, rows.length), values));
  }

  /** The engines write parameters differently. */
  #textFor(query: Query, count: number): string {
    const engine = query.getExecutor().adapter.constructor;
    const texts = this.#texts.get(engine) ?? new Map<number, string>();
    this.#texts.set(engine, texts);
    const text = texts.get(count) ?? this.#build(query, count);
    texts.set(count, text);
    return text;
  }

  #build(query: Query, count: number): string {
    const row = Object.fromEntries(this.#columns.map((column) => [column, '']));
    const rows = Array.from({ length: count }, () => row) as unknown as Insertable<Tables[Table]>[];
    const text = query.insertInto(this.#table).values(rows).compile().sql;
    return this.#keys.length === 0 ? text : `${text} ${this.#replacing(query)}`;
  }

  #replacing(query: Query): string {
    const replaced = this.#columns.filter((column) => !this.#keys.includes(column));
    const sets = replaced.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
    const keys = this.#keys.map((column) => sql.ref(column));
    return sql`on conflict (${sql.join(keys)}) do update set ${sql.join(sets)}`.compile(query).sql;
  }
}
