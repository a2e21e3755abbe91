import { CompiledQuery, type Insertable } from 'kysely';
import type { Query } from '../database.ts';
import type { Tables } from '../tables.ts';

/** Rows of one statement. The rest of a batch is inserted one by one, so that there are only two texts to prepare. */
const together = 25;

/**
 * Inserts many rows with statements whose texts are made once: for hundreds of values, building the text takes longer than
 * running it.
 */
export class RowInserter<Table extends keyof Tables> {
  readonly #table: Table;
  readonly #columns: readonly (keyof Insertable<Tables[Table]> & string)[];
  readonly #texts = new WeakMap<object, Map<number, string>>();

  constructor(table: Table, columns: readonly (keyof Insertable<Tables[Table]> & string)[]) {
    this.#table = table;
    this.#columns = columns;
  }

  async insert(query: Query, rows: readonly Insertable<Tables[Table]>[]): Promise<void> {
    const whole = rows.length - (rows.length % together);
    for (let start = 0; start < whole; start += together)
      await this.#run(query, rows.slice(start, start + together));
    for (const row of rows.slice(whole)) await this.#run(query, [row]);
  }

  async #run(query: Query, rows: readonly Insertable<Tables[Table]>[]): Promise<void> {
    const values = rows.flatMap((row) => this.#columns.map((column) => row[column] ?? null));
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
    return query.insertInto(this.#table).values(rows).compile().sql;
  }
}
